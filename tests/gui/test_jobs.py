from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QThread

from engine.errors import EngineError
from engine.progress import Progress


class Heard:
    """Keeps what a job said, in order."""

    def __init__(self, job):
        self.said, self.threads = [], set()
        job.progressed.connect(lambda step: self._keep("progressed", step.done))
        job.succeeded.connect(lambda value: self._keep("succeeded", value))
        job.failed.connect(lambda error: self._keep("failed", error))
        job.cancelled.connect(lambda: self._keep("cancelled"))
        job.finished.connect(lambda: self._keep("finished"))

    def _keep(self, *what):
        self.said.append(what)
        self.threads.add(QThread.currentThread())


class Beginning:
    """A generator that says when it was first asked for a step."""

    def __init__(self, work):
        self._work, self.has_begun = work, threading.Event()

    def __next__(self):
        self.has_begun.set()
        return next(self._work)

    def close(self):
        self._work.close()


def counting(gate: threading.Event, closed: list[str], steps: int = 3):
    try:
        for done in range(1, steps + 1):
            yield Progress(done, steps)
            assert gate.wait(10)
        return "whole"
    finally:
        closed.append("closed")


def test_a_job_that_ends_says_its_last_progress_then_its_result_then_that_it_finished(jobs, qtbot):
    gate, closed = threading.Event(), []
    gate.set()
    job = jobs.run(counting(gate, closed))
    heard = Heard(job)
    with qtbot.waitSignal(job.finished):
        pass
    assert heard.said == [("progressed", 3), ("succeeded", "whole"), ("finished",)]
    assert closed == ["closed"]


def test_a_cancelled_job_stops_at_its_next_step_and_its_generator_is_closed(jobs, qtbot):
    gate, closed = threading.Event(), []
    job = jobs.run(beginning := Beginning(counting(gate, closed, steps=1000)))
    heard = Heard(job)
    qtbot.waitUntil(beginning.has_begun.is_set)
    with qtbot.waitSignal(job.finished):
        job.cancel()
        gate.set()
    assert heard.said[-2:] == [("cancelled",), ("finished",)]
    assert closed == ["closed"]
    assert job.is_cancelled


def test_a_failure_arrives_as_the_exception_it_was(jobs, qtbot):
    def broken():
        yield Progress(0, 1)
        raise EngineError("store.no_workspace", path="/w")

    job = jobs.run(broken())
    heard = Heard(job)
    with qtbot.waitSignal(job.finished):
        pass
    assert [name for name, *_ in heard.said] == ["failed", "finished"]
    assert heard.said[0][1].code == "store.no_workspace"


def test_signals_arrive_on_the_gui_thread(jobs, qtbot, qapp):
    places = []

    class Screen(QThread.__mro__[1]):  # a QObject of the GUI thread
        def hear(self, _value):
            places.append(QThread.currentThread())

    screen = Screen()
    job = jobs.call(lambda: 7)
    job.succeeded.connect(screen.hear)
    with qtbot.waitSignal(job.finished):
        pass
    assert places == [qapp.thread()]


def test_a_fast_loop_does_not_flood_the_window(jobs, qtbot):
    def fast():
        for done in range(20_000):
            yield Progress(done + 1, 20_000)
        return None

    job = jobs.run(fast())
    heard = Heard(job)
    with qtbot.waitSignal(job.finished, timeout=20_000):
        pass
    steps = [said for said in heard.said if said[0] == "progressed"]
    assert steps[-1] == ("progressed", 20_000)
    assert len(steps) < 100


def test_closing_cancels_what_runs_and_what_waits(qapp, qtbot):
    from gui.jobs import JobRunner

    runner = JobRunner()
    gate, closed = threading.Event(), []
    first = Beginning(counting(gate, closed, steps=1000))
    running = [runner.run(work, "working") for work in (first, counting(gate, [], steps=1000))]
    qtbot.waitUntil(first.has_begun.is_set)
    assert runner.is_working
    gate.set()
    assert runner.close()
    assert all(job.is_cancelled for job in running)
    assert closed == ["closed"]  # the one that had begun; the one that waited never began


def test_every_one_of_many_jobs_arrives(jobs, qtbot):
    arrived = []
    for number in range(400):
        jobs.call(lambda n=number: n).succeeded.connect(arrived.append)
    qtbot.waitUntil(lambda: not jobs.running, timeout=20_000)
    assert sorted(arrived) == list(range(400))


def test_a_job_asked_for_after_closing_is_cancelled(qapp, qtbot):
    from gui.jobs import JobRunner

    runner = JobRunner()
    runner.close()
    job = runner.call(lambda: 7)
    heard = Heard(job)
    with qtbot.waitSignal(job.finished):
        pass
    assert [name for name, *_ in heard.said] == ["cancelled", "finished"]


def test_two_long_pieces_of_work_go_one_after_the_other(jobs, qtbot):
    order, gate = [], threading.Event()

    def work(name):
        order.append(f"{name} begins")
        yield Progress(0, 1)
        assert gate.wait(10)
        order.append(f"{name} ends")

    first, second = jobs.run(work("first"), "working"), jobs.run(work("second"), "working")
    gate.set()
    with qtbot.waitSignals([first.finished, second.finished]):
        pass
    assert order == ["first begins", "first ends", "second begins", "second ends"]


def test_what_may_come_later_begins_when_nothing_is_being_read(jobs, qtbot):
    gate, done = threading.Event(), []

    def reading():
        yield Progress(0, 1)
        gate.wait(5)
        done.append("read")

    def later():
        yield Progress(0, 1)
        done.append("later")

    read = jobs.run(reading())
    aside = Beginning(later())
    with qtbot.waitSignal(read.finished, timeout=5000):
        job = jobs.run(aside, "aside")
        qtbot.waitUntil(lambda: not jobs._waiting)
        assert not aside.has_begun.is_set()
        gate.set()
    qtbot.waitUntil(lambda: done == ["read", "later"])
    qtbot.waitUntil(lambda: job not in jobs.running)


def test_what_waits_for_its_turn_is_cancelled_when_the_window_closes(qapp):
    from gui.jobs import JobRunner

    runner, gate = JobRunner(), threading.Event()

    def reading():
        yield Progress(0, 1)
        gate.wait(5)

    runner.run(reading())
    heard = Heard(runner.run(iter_forever(), "aside"))
    gate.set()
    assert runner.close()
    qapp.processEvents()
    assert heard.said[-2:] == [("cancelled",), ("finished",)]


def iter_forever():
    while True:
        yield Progress(0, 1)


@pytest.mark.parametrize("value", [None, 0, "text"])
def test_a_plain_function_is_a_job_too(jobs, qtbot, value):
    job = jobs.call(lambda: value)
    with qtbot.waitSignal(job.succeeded) as caught:
        pass
    assert caught.args == [value]


def test_what_people_said_is_written_even_when_the_window_closes_meanwhile(qapp):
    gate, written = threading.Event(), []

    def write(word):
        gate.wait(5)
        written.append(word)

    from gui.jobs import JobRunner

    runner = JobRunner()
    runner.call(write, "first", pool="writing")
    runner.call(write, "second", pool="writing")
    threading.Timer(0.05, gate.set).start()
    assert runner.close()
    assert written == ["first", "second"]
