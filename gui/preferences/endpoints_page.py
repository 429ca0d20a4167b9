"""The page of judge endpoints: a list, the form in its place while one is added or changed, and the keyring."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.endpoints.keys import ApiKey
from engine.errors import EngineError
from gui.preferences.endpoint_form import EndpointForm
from gui.preferences.endpoint_row import EndpointRow
from gui.preferences.endpoints import KeptEndpoint
from gui.preferences.endpoints_view_model import EndpointsViewModel
from gui.preferences.page import Page
from gui.services import Services
from gui.widgets import Button, Card, EmptyState, InlineError, label


class EndpointsPage(Page):
    """Endpoints that language-model judges are asked at."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._words = services.words
        self.model = EndpointsViewModel(services.settings, services.jobs, self)
        self.rows: list[EndpointRow] = []
        self._list = Card(" ", flush=True)
        self.add_button = Button(icon="plus", size="button_small")
        self._list.head.addWidget(self.add_button)
        self._first = Button(icon="plus", role="primary")
        self._empty = EmptyState(primary=self._first, icon="scales")
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self._list.body.addWidget(self._empty)
        self._list.body.addLayout(self._rows)
        self._form: EndpointForm | None = None
        self.key_error = InlineError()
        self._keys = Card(" ")
        self._keys_said = label("", "body", "secondary", wrap=True)
        self._keys.body.addWidget(self._keys_said)
        for card in (self._list, self.key_error, self._keys):
            self.add(card)
        self.end()
        self._wire()
        self._show_rows()

    def add_endpoint(self) -> None:
        """Open the form for a new endpoint."""
        self._open_form(None)

    def shown(self) -> None:
        """Look for keys and the keyring anew: they may have changed outside."""
        self.model.look(self.form.address_now() if self._is_editing else None)

    @property
    def keyring_line(self) -> str:
        """The sentence on the keyring."""
        return str(self._keys_said.text())

    @property
    def form(self) -> EndpointForm:
        """The form, made when it is first needed; hidden while nothing is added or changed."""
        if self._form is None:
            self._form = form = EndpointForm()
            form.hide()
            self.cards.insertWidget(1, form)
            form.saved.connect(self._on_saved)
            form.left.connect(self._close_form)
            form.address_changed.connect(self._on_address)
            form.forget_asked.connect(self.model.forget_key)
        return self._form

    @property
    def _is_editing(self) -> bool:
        return self._form is not None and not self._form.isHidden()

    def _wire(self) -> None:
        self.add_button.clicked.connect(self.add_endpoint)
        self._first.clicked.connect(self.add_endpoint)
        self.model.changed.connect(self._show_rows)
        self.model.tried.connect(self._show_trial)
        self.model.keys_changed.connect(self._show_keys)
        self.model.key_failed.connect(self._on_key_failure)
        self._words.changed.connect(self._retranslate)

    def _open_form(self, name: str | None) -> None:
        self.key_error.clear()
        entry = self.model.named(name) if name is not None else None
        taken = {other.name for other in self.model.entries if other is not entry}
        self._list.hide()
        self.form.show()
        self._show_keys()
        self.form.edit(entry, taken)
        self.bring_into_view(self.form.name)

    def _close_form(self) -> None:
        self.form.hide()
        self._list.show()
        self._focus(str(self.form.name.text().strip() or self.form.model.text().strip()))

    def _on_saved(self, entry: KeptEndpoint, key: ApiKey | None) -> None:
        self.model.put(entry, self.form.before)
        if key is not None:
            self.model.keep_key(entry.base_url, key)
        self._close_form()

    def _on_address(self, base_url: str, key_env: str) -> None:
        self.model.look((base_url, key_env) if base_url else None)

    def _on_key_failure(self, error: EngineError) -> None:
        self.key_error.say(self._words.error(error), code=error.code)
        self.bring_into_view(self.key_error)

    def _show_rows(self) -> None:
        for row in self.rows:
            self._rows.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = [EndpointRow(entry, self) for entry in self.model.entries]
        for row in self.rows:
            self._rows.addWidget(row)
            row.test_asked.connect(self.model.try_call)
            row.stop_asked.connect(self._on_stop)
            row.change_asked.connect(self._open_form)
            row.remove_asked.connect(self._on_remove)
            self._show_trial(row.entry.name)
        self._empty.setVisible(not self.rows)
        self.add_button.setVisible(bool(self.rows))
        self._retranslate()
        self._show_keys()

    def _show_trial(self, name: str) -> None:
        for row in self.rows:
            if row.entry.name == name:
                row.show_trial(self.model.is_trying(name), self.model.results.get(name))

    def _show_keys(self) -> None:
        keys = self.model.keys
        for row in self.rows:
            row.show_source(keys.sources.get((row.entry.base_url, row.entry.key_env)) if keys else None)
        if self._is_editing:
            self.form.show_key(
                keys.keyring if keys else None, keys.sources.get(self.form.address_now()) if keys else None
            )
        self._retranslate()

    def _on_stop(self, _: str) -> None:
        self.model.stop_trying()

    def _on_remove(self, name: str) -> None:
        question = self._words.text("preferences.endpoint.remove_question", name=name)
        if self._services.confirm(question, self._words.text("preferences.endpoint.remove_word")):
            self.model.remove(name)
            self._focus("")

    def _focus(self, name: str) -> None:
        """The keyboard goes on where it was: at the row of ``name``, else at the button that adds."""
        row = next((row for row in self.rows if row.entry.name == name), None)
        target = row.test if row is not None else self.add_button if self.rows else self._first
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _retranslate(self) -> None:
        say = self._words.text
        self._list.set_title(say("preferences.endpoint.title"))
        count = len(self.rows)
        self._list.set_foot(say("preferences.endpoint.foot") if count else "")
        self._empty.set_sentence(say("preferences.endpoint.none"))
        keys = self._services.actions.keys("settings.add_endpoint")
        for button in (self.add_button, self._first):
            button.setText(say("preferences.endpoint.add"))
            button.set_keys(keys)
        self._keys.set_title(say("preferences.keyring.title"))
        known = self.model.keys
        if known is None:
            self._keys_said.setText(say("preferences.keyring.looking"))
        elif known.keyring:
            self._keys_said.setText(say("preferences.keyring.there", name=known.keyring))
        else:
            self._keys_said.setText(f"{say('preferences.keyring.none')}\n{say('machine.helps.keyring')}")
