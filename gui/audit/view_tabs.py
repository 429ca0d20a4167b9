"""What stands on the tabs and what they do: ready filters, their parts, and the user's own views."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu, QWidget

from engine.errors import EngineError
from engine.query.presets import PRESETS, Preset
from gui.audit.name_panel import NamePanel
from gui.audit.tabs import Tabs, TabWords
from gui.audit.view_model import AuditViewModel
from gui.services import Services

BY_KEY = 9  # views that have a key


class ViewTabs(QObject):
    """Fills the tabs from the view-model: all answers, the user's views, then the ready filters."""

    def __init__(self, services: Services, model: AuditViewModel, tabs: Tabs, parent: QWidget) -> None:
        super().__init__(parent)
        self._services, self._model, self._tabs = services, model, tabs
        self.naming = NamePanel(parent)
        self._renamed: int | None = None
        self.naming.named.connect(self._on_name)
        tabs.chosen.connect(self.open)
        tabs.add_asked.connect(self.save_as)
        tabs.parts_asked.connect(self._show_parts)
        tabs.menu_asked.connect(self._show_menu)
        tabs.asked.connect(self._on_asked)
        for changed in (model.overview_changed, model.filter_changed, model.order_changed, model.columns_changed):
            changed.connect(self.show)
        model.views.changed.connect(self.show)
        model.method_changed.connect(self.show)
        self._add_actions()

    def show(self, *_: object) -> None:
        """Say everything anew."""
        chosen = self._model.preset
        self._tabs.set_tabs([self._words_of(place, chosen) for place in range(self._count())])
        self._tabs.set_current(self._current(chosen))

    def open(self, place: int) -> None:
        """Show what a tab shows."""
        view = self._view_at(place)
        if view is not None:
            self._model.open_view(view)
        else:
            self._model.choose_preset(self._preset_at(place))

    def save(self) -> None:
        """Save the changed view again, or ask for a name where no view is open."""
        if self._model.view is None:
            self.save_as()
        elif self._model.view_is_changed:
            self._model.save_view_again()
            self._say("saved", name=self._model.views[self._model.view].name)

    def save_as(self) -> None:
        """Ask for a name and keep what is shown under it."""
        self._renamed = None
        over = self._tabs.add
        self.naming.ask(over, self._text("save_as"), "")

    def rename(self, view: int) -> None:
        """Ask for another name of a view."""
        self._renamed = view
        self.naming.ask(self._tabs.tab(view + 1), self._text("rename"), self._model.views[view].name)

    def delete(self, view: int) -> None:
        """Forget a view, if the user says so."""
        name = self._model.views[view].name
        if self._services.confirm(self._text("delete_question", name=name), self._text("delete")):
            self._model.delete_view(view)
            self._say("deleted", name=name)

    def move(self, view: int, by: int) -> None:
        """Let a view change places with its neighbour."""
        if 0 <= view + by < len(self._model.views):
            self._model.move_view(view, view + by)
            self._tabs.focus_on(view + by + 1)

    def parts_of(self, place: int) -> list[tuple[str, Preset]]:
        """The parts of a tab's ready filter with what a menu says of each."""
        if self._view_at(place) is not None:
            return []
        preset, language = self._preset_at(place), self._services.words.language
        counts = self._model.preset_counts
        whole = [(preset.label(language), preset)] if preset.parts else []
        said = [*whole, *((part.label(language), part) for part in preset.parts)]
        return [(f"{label}  {counts[one.id]:,}" if one.id in counts else label, one) for label, one in said]

    def menu_of(self, place: int) -> QMenu:
        """What can be done with a tab."""
        menu = QMenu(self._tabs)
        view = self._view_at(place)
        if view is not None:
            if view == self._model.view and self._model.view_is_changed:
                menu.addAction(self._text("save_again"), self.save)
            menu.addAction(self._text("rename"), partial(self.rename, view))
            menu.addAction(self._text("left"), partial(self.move, view, -1)).setEnabled(view > 0)
            last = len(self._model.views) - 1
            menu.addAction(self._text("right"), partial(self.move, view, 1)).setEnabled(view < last)
            menu.addAction(self._text("delete"), partial(self.delete, view))
            menu.addSeparator()
        menu.addAction(self._text("save_as"), self.save_as)
        return menu

    def _add_actions(self) -> None:
        add = self._services.actions.add
        add("audit.save_view", "Ctrl+S", self.save, screen="audit", icon="floppy-disk")
        add("audit.save_view_as", "Ctrl+Shift+S", self.save_as, screen="audit", icon="plus")
        for number in range(1, BY_KEY + 1):
            add(f"audit.view_{number}", f"Ctrl+Alt+{number}", partial(self._open_view, number - 1), screen="audit")

    def _open_view(self, view: int) -> None:
        if view < len(self._model.views):
            self._model.open_view(view)
        else:
            keys = self._services.actions.keys("audit.save_view_as")
            self._say("no_such", number=view + 1, keys=keys)

    def _on_name(self, name: str) -> None:
        try:
            if self._renamed is None:
                self._model.save_view(name)
            else:
                self._model.views.rename(self._renamed, name)
        except EngineError as error:
            self.naming.tell(error)
        else:
            self.naming.leave()

    def _on_asked(self, place: int, what: str) -> None:
        view = self._view_at(place)
        if view is None:
            return
        if what == "rename":
            self.rename(view)
        elif what == "delete":
            self.delete(view)
        else:
            self.move(view, -1 if what == "left" else 1)

    def _show_parts(self, place: int) -> None:
        parts = self.parts_of(place)
        if not parts:
            return
        menu, tab = QMenu(self._tabs), self._tabs.tab(place)
        for said, preset in parts:
            menu.addAction(said.replace("&", "&&"), partial(self._model.choose_preset, preset))
        menu.popup(tab.mapToGlobal(tab.rect().bottomLeft()))

    def _show_menu(self, place: int, at: QPoint) -> None:
        self.menu_of(place).popup(at)

    def _count(self) -> int:
        return len(self._presets()) + len(self._model.views)

    def _presets(self) -> list[Preset]:
        """The ready filters that are offered: one that needs answers which few workspaces have, where there are any."""
        found, chosen = self._model.preset_counts, self._model.preset
        return [one for one in PRESETS if not one.needs_any or found.get(one.id) or one is chosen]

    def _view_at(self, place: int) -> int | None:
        return place - 1 if 1 <= place <= len(self._model.views) else None

    def _preset_at(self, place: int) -> Preset:
        return self._presets()[place - len(self._model.views) if place else 0]

    def _current(self, chosen: Preset | None) -> int | None:
        model = self._model
        if model.view is not None:
            return model.view + 1
        for number, preset in enumerate(self._presets()):
            if chosen is preset or chosen in preset.parts:
                return number + len(model.views) if number else 0
        return None

    def _words_of(self, place: int, chosen: Preset | None) -> TabWords:
        model, language = self._model, self._services.words.language
        view = self._view_at(place)
        if view is not None:
            saved, keys = model.views[view], self._services.actions.keys(f"audit.view_{view + 1}")
            is_changed = view == model.view and model.view_is_changed
            save = self._services.actions.keys("audit.save_view")
            tip = self._text("tip_changed" if is_changed else "tip", query=saved.query or "—", keys=save)
            tip += f"\n{keys}" if view < BY_KEY and keys else ""
            return TabWords(saved.name, model.view_counts.get(saved), tip, is_own=True, is_changed=is_changed)
        preset = self._preset_at(place)
        shown, label = preset, preset.label(language)
        if chosen is not None and chosen in preset.parts:
            shown = chosen
            label = f"{label}: {shown.label(language)}"
        count = model.preset_counts.get(shown.id)
        return TabWords(label, count, shown.about(language), has_parts=bool(preset.parts))

    def _text(self, key: str, /, **values: object) -> str:
        return self._services.words.text(f"audit.view.{key}", **values)

    def _say(self, key: str, /, **values: object) -> None:
        self._services.say(self._text(key, **values))
