"""The page of sound: which device plays, and whether it is heard."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from engine.errors import EngineError
from gui.jobs import Job
from gui.player.devices import OutputDevice, Plan
from gui.preferences.hearing import hear_a_sentence
from gui.preferences.page import Form, Page, in_a_row
from gui.services import Services
from gui.widgets import Button, Card, ComboBox, InlineError, Spinner, label


class SoundPage(Page):
    """The device that plays."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._words = services, services.words
        self._devices: tuple[OutputDevice, ...] | None = None
        self._hearing: Job | None = None
        self._refresh_next = False
        self._plan: Plan | None = None
        self._error: EngineError | None = None
        self.device = ComboBox(widest=360)
        self.refresh = Button(icon="arrows-clockwise")
        self.hear = Button(icon="play", role="plain")
        self._spinner = Spinner(16)
        self._heard = label("", "small", "secondary", wrap=True)
        self.trouble = InlineError()
        self._lay_out()
        self._wire()
        self._retranslate()

    def shown(self) -> None:
        """List the devices."""
        if self._devices is None:
            self._services.player.list_devices()

    @property
    def heard(self) -> str:
        """What is said of the sentence that was played."""
        return str(self._heard.text())

    def _lay_out(self) -> None:
        self._card = Card(" ")
        form = Form()
        self._device_label = form.add(in_a_row(self.device, self.refresh))
        self._device_label.setBuddy(self.device)
        self._hear_label = form.add(in_a_row(self.hear, self._spinner, self._heard))
        self._hear_label.setBuddy(self.hear)
        form.under(self.trouble)
        self._card.body.addLayout(form)
        self.add(self._card)
        self.end()

    def _wire(self) -> None:
        self.device.activated.connect(self._on_device)
        self.refresh.clicked.connect(self._on_refresh)
        self.hear.clicked.connect(self._on_hear)
        self._services.player.devices_changed.connect(self._on_devices)
        self._services.player.device_changed.connect(self._on_device_changed)
        self._services.settings.changed.connect(self._on_setting)
        self._words.changed.connect(self._retranslate)

    def _on_refresh(self) -> None:
        """What plays here goes out first: looking again would cut it off."""
        if self._hearing is not None:
            self._refresh_next = True
            self._hearing.cancel()
        else:
            self._look_again()

    def _look_again(self) -> None:
        self._refresh_next = False
        self._services.player.refresh_devices()

    def _on_devices(self, devices: tuple[OutputDevice, ...]) -> None:
        self._devices = devices
        self._error = None if devices else EngineError("player.no_device")
        self._retranslate()

    def _on_device_changed(self) -> None:
        """Without the library or a device the player says why."""
        trouble = self._services.player.trouble
        if trouble is not None:
            self._on_failure(trouble)

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self._error = error
        self._retranslate()

    def _on_device(self, place: int) -> None:
        self._services.settings.set("sound_output", str(self.device.itemData(place)))

    def _on_setting(self, name: str) -> None:
        if name == "sound_output":
            self._plan = self._error = None
            self._retranslate()

    def _on_hear(self) -> None:
        if self._hearing is not None:
            self._hearing.cancel()
            return
        self._services.player.pause()
        self._plan = self._error = None
        device = str(self._services.settings.get("sound_output"))
        work = hear_a_sentence(self._services.player.sound, device, self._words.language)
        self._hearing = job = self._services.jobs.run(work)
        job.succeeded.connect(self._on_heard)
        job.failed.connect(self._on_failure)
        job.finished.connect(self._on_heard_out)
        self._retranslate()

    def _on_heard(self, plan: Plan) -> None:
        self._plan = plan

    def _on_heard_out(self) -> None:
        self._hearing = None
        self._retranslate()
        if self._refresh_next:
            self._look_again()

    def _fill_devices(self) -> None:
        say, chosen = self._words.text, str(self._services.settings.get("sound_output"))
        devices = self._devices or ()
        usual = next((device.name for device in devices if device.is_default), "")
        usual_said = say("preferences.sound.usual_named", name=usual) if usual else say("preferences.sound.usual")
        entries = [("", usual_said), *((device.name, device.name) for device in devices)]
        if chosen and all(name != chosen for name, _ in entries):
            entries.append((chosen, say("preferences.sound.gone", name=chosen)))
        self.device.clear()
        for name, shown in entries:
            self.device.addItem(shown, name)
        self.device.setCurrentIndex([name for name, _ in entries].index(chosen))
        self.device.updateGeometry()

    def _retranslate(self) -> None:
        say = self._words.text
        self._card.set_title(say("preferences.sound.title"))
        self._card.set_foot(say("preferences.sound.foot"))
        self._device_label.setText(say("preferences.sound.device"))
        self.device.set_name(say("preferences.sound.device"))
        self.refresh.setText(say("preferences.sound.refresh"))
        self.refresh.set_tip(say("preferences.sound.refresh_tip"))
        self._hear_label.setText(say("preferences.sound.test"))
        playing = self._hearing is not None
        self.hear.setText(say("preferences.sound.stop" if playing else "preferences.sound.hear"))
        self.hear.set_tip(say("preferences.sound.hear_tip"))
        self.hear.set_icon("stop" if playing else "play")
        self._spinner.setVisible(playing)
        plan = self._plan
        if plan is not None:
            said = {"device": plan.device, "rate": plan.rate_hz / 1000, "channels": plan.channels}
            self._heard.setText(say("preferences.sound.heard", **said))
        self._heard.setVisible(plan is not None and not playing)
        self._fill_devices()
        self._show_trouble()

    def _show_trouble(self) -> None:
        error = self._error
        if error is None:
            self.trouble.clear()
            return
        say = self._words.text
        if error.code == "player.no_portaudio":
            sentence = f"{say('preferences.sound.no_portaudio')}\n{say('machine.helps.sound_library')}"
        elif error.code == "player.no_device":
            sentence = say("preferences.sound.no_device")
        else:
            sentence = self._words.error(error)
        self.trouble.say(sentence, code=error.code, tone="warning")
