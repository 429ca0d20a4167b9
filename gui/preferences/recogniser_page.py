"""The page of the recogniser: back end, weights, how it computes, and what its floor means for the verdicts."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QFileDialog, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.speech.values import PACKAGED
from engine.strings import LANGUAGES
from gui.preferences.page import Form, Page, in_a_row
from gui.preferences.recogniser_view_model import (
    BACKENDS,
    COMPUTE_TYPES,
    DEVICES,
    WITH_PACKAGED,
    Floor,
    RecogniserViewModel,
)
from gui.services import Services
from gui.theme import space
from gui.widgets import (
    Button,
    Card,
    ComboBox,
    InlineError,
    LineEdit,
    RadioButton,
    Segmented,
    label,
    set_tone,
)

KINDS = (PACKAGED, "folder", "hub")


class RecogniserPage(Page):
    """What hears the answers."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = services.words
        self.model = RecogniserViewModel(services, self)
        self._kind = _kind_of(self.model.draft.weights)
        self.backends = {name: RadioButton(name) for name in BACKENDS}
        self._backend_notes = {name: label("", "small", "secondary", wrap=True) for name in BACKENDS}
        self._group = QButtonGroup(self)
        self.kinds = Segmented([(kind, kind) for kind in KINDS])
        self.folder, self.hub, self.revision = LineEdit(mono=True), LineEdit(mono=True), LineEdit(mono=True)
        self.browse = Button(icon="folder-open")
        self.compute_type, self.device = ComboBox(), Segmented([(name, name) for name in DEVICES])
        self.check = InlineError()
        self._device_note = label("", "small", "warning", wrap=True)
        self._floor_lines = {name: label("", "body", wrap=True) for name in ("", *LANGUAGES)}  # "": none is known
        self._lay_out()
        self._wire()
        self._retranslate()
        self._show_draft()

    def shown(self) -> None:
        """Look anew: a package may have come."""
        self.model.look()

    @property
    def floor_text(self) -> str:
        """What is said of the floor."""
        return "\n".join(line.text() for line in self._floor_lines.values() if not line.isHidden())

    def _lay_out(self) -> None:
        self._which, self._how, self._floor = Card(" "), Card(" "), Card(" ")
        for name, button in self.backends.items():
            self._group.addButton(button)
            note = QVBoxLayout()
            note.setContentsMargins(space(6) + 2, 0, 0, space(1))
            note.addWidget(self._backend_notes[name])
            block = QVBoxLayout()
            block.setSpacing(0)
            block.addLayout(in_a_row(button))
            block.addLayout(note)
            self._which.body.addLayout(block)
        form = Form()
        self._labels = {"weights": form.add(in_a_row(self.kinds))}
        self._folder_row, self._hub_row = QWidget(), QWidget()
        folder = in_a_row(self.folder, self.browse, ends=False)
        self._folder_row.setLayout(folder)
        hub = in_a_row(self.hub, self.revision, ends=False)
        hub.setStretch(0, 2)
        hub.setStretch(1, 1)
        self._hub_row.setLayout(hub)
        form.under(self._folder_row)
        form.under(self._hub_row)
        self._labels["compute_type"] = form.add(in_a_row(self.compute_type))
        self._labels["device"] = form.add(in_a_row(self.device), self._device_note)
        self._how.body.addLayout(form)
        self._how.body.addWidget(self.check)
        for line in self._floor_lines.values():
            self._floor.body.addWidget(line)
        for card in (self._which, self._how, self._floor):
            self.add(card)
        self.end()

    def _wire(self) -> None:
        self._group.buttonClicked.connect(self._on_backend)
        self.kinds.chosen.connect(self._on_kind)
        self.folder.editingFinished.connect(self._on_weights)
        self.hub.editingFinished.connect(self._on_weights)
        self.revision.editingFinished.connect(self._on_weights)
        self.browse.clicked.connect(self._on_browse)
        self.compute_type.activated.connect(self._on_compute_type)
        self.device.chosen.connect(self.model.set_device)
        self.model.changed.connect(self._show_draft)
        self.model.looked.connect(self._show_found)
        self.model.failed.connect(self._on_failure)
        self._words.changed.connect(self._retranslate)

    def _on_backend(self, button: RadioButton) -> None:
        backend = next(name for name, other in self.backends.items() if other is button)
        if backend != WITH_PACKAGED and self._kind == PACKAGED:
            self._kind = "folder"
        self.model.set_backend(backend)

    def _on_kind(self, kind: object) -> None:
        self._kind = str(kind)
        self._on_weights()
        if self._kind != PACKAGED:
            (self.folder if self._kind == "folder" else self.hub).setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_weights(self) -> None:
        weights = {PACKAGED: PACKAGED, "folder": self.folder.text(), "hub": self.hub.text()}[self._kind]
        revision = self.revision.text() if self._kind == "hub" else None
        if (weights.strip(), (revision or "").strip() or None) != (self.model.draft.weights, self.model.draft.revision):
            self.model.set_weights(weights, revision)

    def _on_browse(self) -> None:
        start = self.folder.text() or str(Path.home())
        found = QFileDialog.getExistingDirectory(self, self._words.text("preferences.recogniser.browse_title"), start)
        if found:
            self.folder.setText(found)
            self._on_weights()

    def _on_failure(self, error: EngineError) -> None:
        self.check.say(self._words.error(error), code=error.code, tone="error")

    def _on_compute_type(self, place: int) -> None:
        self.model.set_compute_type(str(self.compute_type.itemData(place)))

    def _show_draft(self) -> None:
        draft = self.model.draft
        self.backends[draft.backend].setChecked(True)
        self.kinds.set_enabled(PACKAGED, draft.backend == WITH_PACKAGED)
        self.kinds.set_value(self._kind)
        self._folder_row.setVisible(self._kind == "folder")
        self._hub_row.setVisible(self._kind == "hub")
        if self._kind == "folder" and not self.folder.hasFocus() and draft.weights != PACKAGED:
            self.folder.setText(draft.weights)
        if self._kind == "hub" and not self.hub.hasFocus() and not self.revision.hasFocus():
            self.hub.setText(draft.weights if draft.weights != PACKAGED else "")
            self.revision.setText(draft.revision or "")
        self.device.set_value(draft.device)
        self._fill_compute_types()
        self._show_found()

    def _fill_compute_types(self) -> None:
        types = COMPUTE_TYPES[self.model.draft.backend]
        self.compute_type.clear()
        for name in types:
            shown = self._words.text("preferences.recogniser.compute_default") if name == "default" else name
            self.compute_type.addItem(shown, name)
        self.compute_type.setCurrentIndex(types.index(self.model.draft.compute_type))
        self.compute_type.updateGeometry()

    def _show_found(self) -> None:
        say, found, language = self._words.text, self.model.found, self._words.language
        for name, note in self._backend_notes.items():
            lacking = found.lacking.get(name) if found else None
            about = say(f"preferences.recogniser.about.{name.replace('-', '_')}")
            missing = f"\n{say('preferences.recogniser.not_installed')} {lacking.help(language)}" if lacking else ""
            note.setText(about + missing)
        no_graphics = bool(found and self.model.draft.device == "cuda" and not found.has_graphics)
        self._device_note.setText(say("preferences.recogniser.no_cuda") if no_graphics else "")
        self._device_note.setVisible(no_graphics)
        if not self.model.is_complete:
            self.check.say(say(f"preferences.recogniser.incomplete.{self._kind}"), tone="warning")
        elif found is None:
            self.check.clear()
        elif found.check.state == "ready":
            self.check.say(say("preferences.recogniser.ready"), tone="good")
        else:
            self.check.say(f"{found.check.sentence(language)}\n{found.check.help(language)}", tone="warning")
        self._show_floor(found.floors if found else (), found.cut if found else 0.0)

    def _show_floor(self, floors: tuple[Floor, ...], cut: float) -> None:
        say = self._words.text
        self._floor.set_foot(say("preferences.recogniser.floor_foot", cut=cut) if cut else "")
        known = {floor.language: floor for floor in floors}
        for language, line in self._floor_lines.items():
            floor = known.get(language)
            line.setVisible(floor is not None or not (language or known))
            if floor is not None:
                key = "floor_admits" if floor.admits else "floor_too_high"
                spoken = say(f"preferences.recogniser.language.{language}")
                line.setText(say(f"preferences.recogniser.{key}", language=spoken, rate=floor.rate, cut=cut))
                set_tone(line, None if floor.admits else "warning")
        self._floor_lines[""].setText(say("preferences.recogniser.floor_unknown"))
        set_tone(self._floor_lines[""], "secondary")

    def _retranslate(self) -> None:
        say = self._words.text
        self._which.set_title(say("preferences.recogniser.backend"))
        self._how.set_title(say("preferences.recogniser.how"))
        self._floor.set_title(say("preferences.recogniser.floor"))
        for name, shown in self._labels.items():
            shown.setText(say(f"preferences.recogniser.field.{name}"))
        for name, button in self.backends.items():
            button.setToolTip(say(f"preferences.recogniser.about.{name.replace('-', '_')}"))
        self.kinds.set_texts(
            [say(f"preferences.recogniser.kind.{kind}") for kind in KINDS],
            [say(f"preferences.recogniser.kind_tip.{kind}") for kind in KINDS],
        )
        self.kinds.setAccessibleName(say("preferences.recogniser.field.weights"))
        self.device.set_texts([say(f"preferences.recogniser.device.{name}") for name in DEVICES])
        self.device.setAccessibleName(say("preferences.recogniser.field.device"))
        self.compute_type.set_name(say("preferences.recogniser.field.compute_type"))
        for field, name in ((self.folder, "folder"), (self.hub, "hub"), (self.revision, "revision")):
            field.setPlaceholderText(say(f"preferences.recogniser.hint.{name}"))
            field.setAccessibleName(say(f"preferences.recogniser.hint.{name}"))
            field.setToolTip(say(f"preferences.recogniser.tip.{name}"))
        self.browse.setText(say("preferences.recogniser.browse"))
        self._show_draft()


def _kind_of(weights: str) -> str:
    """Which of the three ways to name weights this one is: a path has a separator at its start or more than one."""
    if weights == PACKAGED:
        return PACKAGED
    is_path = weights.startswith((".", "~", "/", "\\")) or weights.count("/") != 1 or "\\" in weights
    return "folder" if is_path else "hub"
