"""The device the player uses: asked for its rate, opened, given back and found again, all on jobs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from gui.jobs import Job, JobRunner
from gui.player.devices import OutputDevice, Plan
from gui.player.mixer import Mixer
from gui.player.output import Output, Sound
from gui.settings import Settings

IDLE_MS = 10_000  # then the device is given back
DEAD_S = 2.0  # a device that asks for nothing this long has gone, whether it says so or not


class Device(QObject):
    """At most one open output.

    Signals:
        planned: the device and its rate are known.
        opened: the output plays what the mixer renders.
        trouble_changed: the EngineError why there is no device is another, or None.
        lost: the open device stopped by itself.
        listed: a tuple of OutputDevice.
    """

    planned, opened, trouble_changed, lost, listed = Signal(), Signal(), Signal(), Signal(), Signal(object)
    _ended = Signal(object)

    def __init__(self, jobs: JobRunner, sound: Sound, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._sound, self._settings = jobs, sound, settings
        self.plan: Plan | None = None
        self.trouble: EngineError | None = None
        self.output: Output | None = None
        self._job: Job | None = None
        self._next: Callable[[], None] | None = None
        self._is_closed = False
        self._mixer: Mixer | None = None
        self._ended.connect(self._on_ended)
        self._idle = QTimer(self)
        self._idle.setInterval(IDLE_MS)
        self._idle.setSingleShot(True)
        self._idle.timeout.connect(self.release)

    @property
    def is_busy(self) -> bool:
        """Whether a job asks or opens it now."""
        return self._job is not None

    def ask(self) -> None:
        """Find out which device and which rate; ``planned`` or ``trouble_changed`` follows.

        After trouble, devices are looked for anew: one may have been plugged in.
        """
        refresh = self.trouble is not None and self.output is None
        self._run(self._jobs.call(self._sound.plan, str(self._settings.get("sound_output")), refresh), self._on_plan)

    def open(self, mixer: Mixer) -> None:
        """Open the planned device on ``mixer``; ``opened`` or ``trouble_changed`` follows."""
        assert self.plan is not None
        self._mixer = mixer
        self._run(self._jobs.call(self._opened, self.plan, mixer), self._on_open)

    def list(self, *, look_again: bool) -> None:
        """Look for devices; ``listed`` follows.

        Args:
            look_again: find those that came and went too, for which the open one is closed.
        """
        if self._job is not None:  # an output that opens now would be lost
            self._next = partial(self.list, look_again=look_again)
            return
        output = self.output if look_again else None
        if look_again:
            self.output = self.plan = None
        self._run(self._jobs.call(_listed, self._sound, output, look_again), self._on_listed)

    def rest(self) -> None:
        """Nothing is played: give the device back after a while."""
        self._idle.start()

    def wake(self) -> None:
        """Keep the device."""
        self._idle.stop()

    def release(self) -> None:
        """Give the device back."""
        self._idle.stop()
        output, self.output = self.output, None
        if output is not None:
            self._jobs.call(output.close)

    def forget(self) -> None:
        """Another device was chosen, or the old one went: it is asked anew."""
        self.release()
        self.plan = self.trouble = None

    def watch(self) -> None:
        """Notice a device that asks for nothing any more; called while it plays."""
        output = self.output
        last = None if output is None else output.told.last_block_s
        if output is not None and last is not None and output.now() - last > DEAD_S:
            self._lose()

    def close(self) -> None:
        """Give the device back at once; when the application ends."""
        self._is_closed = True
        self._idle.stop()
        if self.output is not None:
            self.output.close()
            self.output = None

    def _opened(self, plan: Plan, mixer: Mixer) -> Output:  # on a pool thread
        output = self._sound.open(plan, mixer, lambda: self._ended.emit(mixer))
        if self._is_closed:  # meanwhile; nobody else would
            output.close()
        return output

    def _run(self, job: Job, succeed: Callable[..., None]) -> None:
        self._job = job
        job.succeeded.connect(self._on_job_ended)
        job.failed.connect(self._on_job_ended)
        job.succeeded.connect(succeed)
        job.failed.connect(self._on_failure)
        job.finished.connect(self._on_finished)

    def _on_job_ended(self, _: object) -> None:
        self._job = None

    def _on_finished(self) -> None:
        if self._job is None and self._next is not None:
            start, self._next = self._next, None
            start()

    def _on_plan(self, plan: Plan) -> None:
        self.plan = plan
        self._set_trouble(None)
        self.planned.emit()

    def _on_open(self, output: Output) -> None:
        if self._is_closed:
            return
        if output.plan is self.plan:
            self.output = output
        else:  # another device was chosen meanwhile
            self._jobs.call(output.close)
        self.opened.emit()

    def _on_listed(self, devices: tuple[OutputDevice, ...]) -> None:
        self.listed.emit(devices)
        if self.plan is None:
            self.ask()

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.plan = None  # the next try looks again
        self._set_trouble(error)

    def _on_ended(self, mixer: object) -> None:
        if self.output is not None and mixer is self._mixer:
            self._lose()

    def _lose(self) -> None:
        name = self.plan.device if self.plan else ""
        output, self.output, self.plan = self.output, None, None
        self._jobs.call(_listed, self._sound, output, True)
        self.lost.emit()
        self._set_trouble(EngineError("player.device_lost", device=name))

    def _set_trouble(self, error: EngineError | None) -> None:
        self.trouble = error
        self.trouble_changed.emit()


def _listed(sound: Sound, output: Output | None, look_again: bool) -> tuple[OutputDevice, ...]:
    if output is not None:
        output.close()
    return sound.outputs(look_again)
