"""The form that adds or changes an endpoint; its key goes to the keyring and is never shown again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from urllib.parse import urlsplit

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from engine.endpoints.keys import ApiKey, KeySource, is_local, key_names
from engine.errors import EngineError
from gui.preferences.endpoints import AT_ONCE, MOST_AT_ONCE, KeptEndpoint, is_variable
from gui.preferences.page import Form, in_a_row
from gui.strings import words
from gui.theme import space
from gui.widgets import Button, Card, InlineError, LineEdit, label

LOOK_AFTER_MS = 300
MOST_PRICE = 1e9
_SHORT = 92


class EndpointForm(Card):
    """Takes an endpoint apart into fields; Enter saves, Esc leaves.

    Signals:
        saved: (KeptEndpoint, ApiKey or None), all of it checked.
        left: nothing is to change.
        address_changed: (base_url, key_env) that is written there now.
        forget_asked: the address whose key is to leave the keyring.
    """

    saved, left = Signal(object, object), Signal()
    address_changed, forget_asked = Signal(str, str), Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(" ", ruled=True, parent=parent)
        self.before: str | None = None
        self._taken: Collection[str] = ()
        self._keyring: str | None = None
        self._source: KeySource | None = None
        self.name, self.model = LineEdit(), LineEdit(mono=True)
        self.address = LineEdit(mono=True)
        self.key = LineEdit(mono=True)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setInputMethodHints(Qt.InputMethodHint.ImhHiddenText | Qt.InputMethodHint.ImhNoPredictiveText)
        self.forget = Button(icon="trash", role="danger")
        self._key_note = label("", "small", "secondary", wrap=True)
        self.variable = LineEdit(mono=True)
        self.at_once = LineEdit(mono=True)
        self.price_in, self.price_out = LineEdit(mono=True), LineEdit(mono=True)
        self._price_labels = (label("", "small", "secondary"), label("", "small", "secondary"))
        self.error = InlineError()
        self.save, self.leave = Button(role="primary", key="Return"), Button(key="Esc")
        self._look_soon = QTimer(self)
        self._look_soon.setSingleShot(True)
        self._look_soon.setInterval(LOOK_AFTER_MS)
        self._look_soon.timeout.connect(self._tell_address)
        self._lay_out()
        self._wire()
        words.changed.connect(self._retranslate)
        self._retranslate()

    def edit(self, entry: KeptEndpoint | None, taken: Collection[str]) -> None:
        """Fill the fields: with ``entry``, or for a new one; ``taken`` are the names of the others."""
        self.before, self._taken = (entry.name if entry else None), taken
        entry = entry or KeptEndpoint("", "", "", concurrency=AT_ONCE)
        for field, text in (
            (self.name, entry.name),
            (self.address, entry.base_url),
            (self.model, entry.model),
            (self.key, ""),
            (self.variable, entry.key_env),
            (self.at_once, str(entry.concurrency)),
            (self.price_in, _said(entry.price_in)),
            (self.price_out, _said(entry.price_out)),
        ):
            field.setText(text)
            field.set_error("")
        self.error.clear()
        self._source = None
        self._retranslate()
        self._tell_address()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_key(self, keyring: str | None, source: KeySource | None) -> None:
        """Whether there is a keyring ("" for none), and where the key of the address comes from."""
        self._keyring, self._source = keyring, source
        self._retranslate()

    def address_now(self) -> tuple[str, str]:
        """The address and the variable that are written there now."""
        return self.address.text().strip(), self.variable.text().strip()

    @property
    def key_note(self) -> str:
        """The sentence under the key."""
        return str(self._key_note.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._on_leave()
        elif (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not self.leave.hasFocus()
            and not self.forget.hasFocus()
        ):
            self._on_save()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        form = Form()
        prices = QHBoxLayout()
        prices.setSpacing(space(2))
        for field, which in zip((self.price_in, self.price_out), self._price_labels):
            field.setFixedWidth(_SHORT)
            prices.addWidget(field)
            prices.addWidget(which)
            prices.addSpacing(space(2))
        prices.addStretch(1)
        self.at_once.setFixedWidth(_SHORT)
        self._labels = {
            "name": form.add(self.name),
            "address": form.add(self.address),
            "model": form.add(self.model),
            "key": form.add(self._key_row(), self._key_note),
            "variable": form.add(self.variable),
            "at_once": form.add(in_a_row(self.at_once)),
            "price": form.add(prices),
        }
        self._labels["key"].setBuddy(self.key)
        self._labels["at_once"].setBuddy(self.at_once)
        self._labels["price"].setBuddy(self.price_in)
        form.under(self.error)
        buttons = in_a_row(self.save, self.leave)
        self.body.addLayout(form)
        self.body.addSpacing(space(1))
        self.body.addLayout(buttons)

    def _key_row(self) -> QHBoxLayout:
        row = in_a_row(self.key, ends=False)
        row.addWidget(self.forget)
        return row

    def _wire(self) -> None:
        self.save.clicked.connect(self._on_save)
        self.leave.clicked.connect(self._on_leave)
        self.forget.clicked.connect(self._on_forget)
        for field in (self.address, self.variable):
            field.textChanged.connect(self._on_address)

    def _on_address(self, _: str) -> None:
        self._source = None
        self._retranslate()
        self._look_soon.start()

    def _tell_address(self) -> None:
        self.address_changed.emit(*self.address_now())

    def _on_forget(self) -> None:
        self.forget_asked.emit(self.address_now()[0])

    def _on_leave(self) -> None:
        self.key.clear()
        self._look_soon.stop()
        self.left.emit()

    def _on_save(self) -> None:
        found = self._checked()
        if isinstance(found, KeptEndpoint):
            key = ApiKey(self.key.text().strip()) if self.key.text().strip() else None
            self.key.clear()
            self._look_soon.stop()
            self.saved.emit(found, key)
        else:
            field, sentence, code = found
            field.set_error(sentence)
            self.error.say(sentence, code=code)
            field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _checked(self) -> KeptEndpoint | tuple[LineEdit, str, str]:
        """The endpoint that is written there, or the first field that is wrong, why, and the error's code."""
        for field in (self.name, self.address, self.model, self.variable, self.at_once, self.price_in, self.price_out):
            field.set_error("")
        self.error.clear()
        address, variable = self.address_now()
        name, model = self.name.text().strip(), self.model.text().strip()
        if not model:
            return self.model, words.text("preferences.endpoint.error.model"), ""
        name = name or model
        if name in self._taken:
            return self.name, words.text("preferences.endpoint.error.name_taken", name=name), ""
        if variable and not is_variable(variable):
            return self.variable, words.text("preferences.endpoint.error.variable"), ""
        at_once = self.at_once.text().strip()
        if not (at_once.isascii() and at_once.isdigit() and 1 <= int(at_once) <= MOST_AT_ONCE):
            return self.at_once, words.text("preferences.endpoint.error.at_once", most=MOST_AT_ONCE), ""
        prices = []
        for field in (self.price_in, self.price_out):
            try:
                prices.append(_price(field.text()))
            except ValueError:
                return field, words.text("preferences.endpoint.error.price"), ""
        if (prices[0] is None) != (prices[1] is None):
            field = self.price_in if prices[0] is None else self.price_out
            return field, words.text("preferences.endpoint.error.one_price"), ""
        try:
            entry = KeptEndpoint(name, address, model, variable, int(at_once), *prices)
            return replace(entry, base_url=entry.endpoint().base_url)  # a pasted address is trimmed to its base
        except EngineError as error:
            return self.address, words.error(error), error.code

    def _retranslate(self) -> None:
        say = words.text
        new = self.before is None
        self.set_title(
            say("preferences.endpoint.new") if new else say("preferences.endpoint.changing", name=self.before)
        )
        for name, shown in self._labels.items():
            shown.setText(say(f"preferences.endpoint.field.{name}"))
        for name, field in (
            ("name", self.name),
            ("address", self.address),
            ("model", self.model),
            ("key", self.key),
            ("variable", self.variable),
            ("at_once", self.at_once),
            ("price_in", self.price_in),
            ("price_out", self.price_out),
        ):
            field.setAccessibleName(say(f"preferences.endpoint.field.{name}"))
            field.setToolTip(say(f"preferences.endpoint.tip.{name}"))
        self.name.setPlaceholderText(say("preferences.endpoint.hint.name"))
        self.address.setPlaceholderText("http://127.0.0.1:8000/v1")
        for shown, name in zip(self._price_labels, ("tokens_in", "tokens_out")):
            shown.setText(say(f"preferences.endpoint.{name}"))
        self.save.setText(say("preferences.endpoint.save"))
        self.leave.setText(say("preferences.endpoint.leave"))
        self.forget.setText(say("preferences.endpoint.forget"))
        self._show_key()

    def _show_key(self) -> None:
        address, variable = self.address_now()
        kept = self._source is not None and self._source.kind == "keyring"
        self.key.setEnabled(bool(address) and bool(self._keyring) and not is_local(address))
        self.key.setPlaceholderText(words.text("preferences.endpoint.hint.key_kept") if kept else "")
        self.forget.setVisible(kept)
        said = {
            "name": self._source.name if self._source else "",
            "names": list(key_names(address, variable)),
            "host": KeptEndpoint("", address, "").host,
            "keyring": self._keyring or "",
        }
        self._key_note.setText(words.text(f"preferences.endpoint.key_note.{self._key_state(address)}", **said))

    def _key_state(self, address: str) -> str:
        """Which sentence on the key fits the address."""
        if not urlsplit(address).hostname:
            return "no_address"
        if self._source is not None and self._source.kind == "environment":
            return "environment"
        if is_local(address):
            return "not_needed"
        if self._keyring == "":
            return "no_keyring"
        return self._source.kind if self._source is not None else "unknown"


def _said(price: float | None) -> str:
    return "" if price is None else f"{price:g}"


def _price(text: str) -> float | None:
    """The price that was typed, None for nothing; ValueError for what is no price."""
    typed = text.strip().replace(",", ".")
    if not typed:
        return None
    price = float(typed)
    if not 0 <= price < MOST_PRICE:
        raise ValueError(text)
    return price
