"""The device by name, cut where there is little room; its menu chooses another one."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QWidget

from gui.player.devices import OutputDevice
from gui.player.player import Player
from gui.settings import Settings
from gui.strings import words
from gui.theme import font, height, paint_icon, radius, space, theme
from gui.waveform.ticks import rate_text
from gui.widgets import paint_box, paint_focus, paint_text, shown_text, tip_text

LEAST_WIDTH = 110  # under this it is not worth showing
_ICON = 18
_CARET = 12
_PADDING = 4


class DeviceButton(QAbstractButton):
    """What is heard through; hover says at which rate, and whether the recording is resampled for it."""

    def __init__(self, player: Player, settings: Settings, parent: QWidget) -> None:
        super().__init__(parent)
        self._player, self._settings = player, settings
        self._is_wrong = False
        self._devices: tuple[OutputDevice, ...] | None = None
        self.devices = QMenu(self)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.clicked.connect(self.open_menu)
        player.devices_changed.connect(self._on_devices)
        self.show_device()

    def show_device(self) -> None:
        """Say which device it is now."""
        plan, trouble = self._player.plan, self._player.trouble
        if plan is not None:
            text = words.text("player.transport.device", device=plan.device, rate=rate_text(plan.rate_hz))
            self._say(text, self._plan_tip(), is_wrong=False)
        elif trouble is not None:
            self._say(words.text("player.transport.no_device"), words.error(trouble), is_wrong=True)
        else:
            self._say(words.text("player.transport.not_asked"), "", is_wrong=False)

    def open_menu(self) -> None:
        """Show the devices to choose from; those known by now, and they are asked for where none is."""
        if self._devices is None:
            self._player.list_devices()
        self._fill()
        self.devices.popup(self.mapToGlobal(QPoint(0, self.height())))

    def sizeHint(self) -> QSize:
        wide = QFontMetrics(font("table")).horizontalAdvance(shown_text(self.text())) + 2
        return QSize(_ICON + space(2) + wide + space(1) + _CARET + 2 * _PADDING, height("button"))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(LEAST_WIDTH, self.sizeHint().width()), height("button"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        if self.underMouse() or self.isDown():
            paint_box(painter, self.rect(), radius("control"), colours.color("surface.sunken"))
        ink = "verdict.fail" if self._is_wrong else "text.secondary"
        paint_icon(painter, QRectF(_PADDING, (self.height() - _ICON) / 2, _ICON, _ICON), "headphones", ink)
        left, right = _PADDING + _ICON + space(2), self.width() - _PADDING - _CARET
        room = QRectF(left, 0, right - space(1) - left + 1, self.height())
        paint_text(painter, room, self.text(), font("table"), colours.color(ink))
        paint_icon(painter, QRectF(right, (self.height() - _CARET) / 2, _CARET, _CARET), "caret-down", "text.secondary")
        if self.hasFocus():
            paint_focus(painter, self.rect(), radius("control"))

    def _say(self, text: str, tip: str, *, is_wrong: bool) -> None:
        self._is_wrong = is_wrong
        choose = words.text("player.transport.device_choose")
        self.setText(text)
        self.setToolTip(tip_text("\n".join(part for part in (tip, choose) if part)))
        self.setAccessibleName(text)
        self.setAccessibleDescription(tip)
        self.updateGeometry()
        self.update()

    def _plan_tip(self) -> str:
        plan, clip_rate_hz = self._player.plan, self._player.clip_rate_hz
        assert plan is not None
        kind = "" if clip_rate_hz is None else "_resampled" if self._player.is_resampled else "_same"
        return words.text(
            f"player.transport.device_tip{kind}",
            device=plan.device,
            rate=rate_text(plan.rate_hz),
            channels=plan.channels,
            clip_rate="" if clip_rate_hz is None else rate_text(clip_rate_hz),
        )

    def _on_devices(self, devices: tuple[OutputDevice, ...]) -> None:
        self._devices = devices
        if self.devices.isVisible():
            self._fill()

    def _fill(self) -> None:
        say, chosen = words.text, str(self._settings.get("sound_output"))
        devices = self._devices or ()
        usual = next((device.name for device in devices if device.is_default), "")
        entries = {"": say("preferences.sound.usual_named", name=usual) if usual else say("preferences.sound.usual")}
        entries |= {device.name: device.name for device in devices}
        if chosen not in entries:
            entries[chosen] = chosen if self._devices is None else say("preferences.sound.gone", name=chosen)
        self.devices.clear()
        for name, shown in entries.items():
            choice = self.devices.addAction(shown_text(shown).replace("&", "&&"), partial(self._choose, name))
            choice.setCheckable(True)
            choice.setChecked(name == chosen)
        self.devices.addSeparator()
        self.devices.addAction(say("preferences.sound.refresh"), self._player.refresh_devices)

    def _choose(self, name: str) -> None:
        self._settings.set("sound_output", name)
