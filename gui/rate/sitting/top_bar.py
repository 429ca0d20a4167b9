"""The bar above the item: which protocol, how far, how long still, and the way to a break and to the keys."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.actions import Actions
from gui.rate.sitting.wording import say
from gui.theme import paint_box, space, theme
from gui.widgets import Button, label

HEIGHT, LOW = 52, 40
_BAR, _THICK = 280, 6
_WORDS_FROM, _BAR_FROM, _PASS_FROM = 1100, 900, 740


class Done(QWidget):
    """How much of the session is done, as a thin bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = 0.0
        self.is_wanted = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(_BAR)

    def show_share(self, share: float, said: str) -> None:
        """Show another share of one; ``said`` says it to a screen reader."""
        self._share = share
        self.setAccessibleName(said)
        self.update()

    def set_wanted(self, wanted: bool) -> None:
        """Whether there is something to show; the bar shows it where it has room."""
        self.is_wanted = wanted

    def sizeHint(self) -> QSize:
        return QSize(_BAR, _THICK)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, _THICK)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole = QRectF(self.rect())
        paint_box(painter, whole, _THICK / 2, theme().color("surface.line"))
        if self._share > 0:
            done = QRectF(0, 0, max(whole.width() * self._share, _THICK), _THICK)
            paint_box(painter, done, _THICK / 2, theme().color("accent.base"))


class TopBar(QWidget):
    """Title, place and time on the left, three buttons on the right.

    Signals:
        break_asked: the rater wants a break.
    """

    break_asked = Signal()

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self.title, self.pass_ = label("", "screen", weight=600, elide=True), label("", "body", "secondary")
        self.done = Done()
        self.place, self.time = label("", "body", weight=500), label("", "body", "secondary", elide=True)
        self.break_button = Button(icon="coffee", role="quiet", key=None)
        self.full_button = Button(icon="arrows-out", role="quiet", key="F11")
        self.keys_button = Button(icon="question", role="quiet", key="?")
        self.break_button.clicked.connect(self.break_asked)
        self.full_button.clicked.connect(self._full_screen)
        self.keys_button.clicked.connect(self._keys)
        row = QHBoxLayout(self)
        row.setContentsMargins(space(5), 0, space(3), 0)
        row.setSpacing(space(3))
        for part in (self.title, self.pass_):
            row.addWidget(part)
        row.addSpacing(space(5))
        row.addWidget(self.done, 1)
        row.addWidget(self.place)
        row.addWidget(self.time, 1)
        row.addStretch(1)
        for button in self.buttons:
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            row.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Break, full screen, keys."""
        return self.break_button, self.full_button, self.keys_button

    def show_title(self, title: str, pass_: str) -> None:
        """The protocol, and which pass of how many; "" for the only one."""
        self.title.setText(title)
        self.pass_.setText(pass_)
        self._fit()

    def show_progress(self, place: str, time: str, share: float) -> None:
        """Which item of how many, how long still, and the share of items that are done."""
        self.place.setText(place)
        self.time.setText(time)
        self.done.show_share(share, place)
        self._fit()

    def be_low(self, low: bool) -> None:
        """Take less room."""
        self.setFixedHeight(LOW if low else HEIGHT)

    def retranslate(self) -> None:
        """Say the words of the language of now."""
        self.break_button.set_keys(self._actions.keys("sitting.break") or None)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("surface.window"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme().color("surface.line"))

    def _fit(self) -> None:
        """Words go before the bar, the bar before the pass, in a narrow window."""
        wide = self.width()
        for button, key in zip(self.buttons, ("break", "full_screen", "keys"), strict=True):
            button.setText(say(f"top.{key}") if wide >= _WORDS_FROM else "")
            button.set_tip(say(f"top.{key}"))
            button.setAccessibleName(say(f"top.{key}"))
        self.done.setVisible(wide >= _BAR_FROM and self.done.is_wanted)
        self.pass_.setVisible(wide >= _PASS_FROM and bool(self.pass_.text()))

    def _full_screen(self) -> None:
        self._run("frame.full_screen")

    def _keys(self) -> None:
        self._run("frame.keys")

    def _run(self, action_id: str) -> None:
        for action in self._actions:
            if action.id == action_id:
                action.run()
