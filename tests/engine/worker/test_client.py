"""The client against real worker processes that print, flood, fork, hang, fail and die."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.worker.client import Limits, WorkerClient
from engine.worker.process import COMMAND, worker_environment
from engine.worker.protocol import messages

ODD = (sys.executable, "-P", str(Path(__file__).parent / "odd_worker.py"))
SHORT = Limits(request_s=1.0, silence_s=30.0, cancel_s=10.0)


@pytest.fixture
def odd(tmp_path):
    with WorkerClient(ODD, tmp_path / "worker.log") as client:
        yield client


def outcomes(client, kind, items, **settings):
    return [outcome for outcome in client.ask(kind, items, **settings) if outcome is not None]


def by_id(found):
    assert len({outcome.id for outcome in found}) == len(found), "an item was answered twice"
    return {outcome.id: outcome for outcome in found}


def ten_items(**odd_ones):
    return [{"id": str(n), **({"do": odd_ones[f"n{n}"]} if f"n{n}" in odd_ones else {})} for n in range(10)]


def wait_for_the_end_of(process_id):
    """Returns once no process of that number runs."""
    try:
        handle = os.pidfd_open(process_id)
    except ProcessLookupError:
        return
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        assert poll.poll(20_000), f"process {process_id} still runs"
    finally:
        os.close(handle)


def test_what_libraries_print_stays_out_of_the_answers_and_in_the_log(odd, tmp_path):
    found = outcomes(odd, "noisy", [{"id": "a"}, {"id": "b"}])

    assert [(outcome.id, outcome.values) for outcome in found] == [("a", {"read": ""}), ("b", {"read": ""})]
    assert (tmp_path / "worker.log").read_text().count("from a child") == 2


def test_a_flood_of_errors_does_not_stop_the_answers(odd):
    assert len(outcomes(odd, "flooding", ten_items()[:3])) == 3


def test_a_large_log_is_put_aside_before_the_next_worker_starts(tmp_path):
    log = tmp_path / "worker.log"
    log.write_bytes(b"x" * (17 << 20))
    with WorkerClient(ODD, log) as client:
        outcomes(client, "odd", ten_items()[:1])
    assert log.stat().st_size < 1000
    assert (tmp_path / "worker.1.log").stat().st_size == 17 << 20


def test_a_child_of_a_worker_ends_with_it_when_the_client_closes(tmp_path):
    with WorkerClient(ODD, tmp_path / "worker.log") as client:
        child = outcomes(client, "forking", [{"id": 1}])[0].values["child"]
    wait_for_the_end_of(child)


def test_a_child_of_a_worker_ends_with_it_when_it_dies(odd):
    child = outcomes(odd, "forking", [{"id": 1}])[0].values["child"]
    outcomes(odd, "odd", [{"id": 2, "do": "die"}])
    wait_for_the_end_of(child)


def test_a_worker_and_its_children_end_with_the_input_even_during_a_call(tmp_path):
    with (tmp_path / "log").open("wb") as log:
        worker = subprocess.Popen(
            ODD, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=worker_environment(True)
        )
    asks = b'{"type":"ask","id":1,"kind":"forking","items":[{"id":1}]}\n{"type":"ask","id":2,"kind":"odd",'
    worker.stdin.write(asks + b'"items":[{"id":2,"do":"hang"}]}\n')
    worker.stdin.flush()
    child = next(m["values"]["child"] for m in messages(worker.stdout) if m["type"] == "result")
    worker.stdin.close()
    worker.wait(20)
    worker.stdout.close()
    wait_for_the_end_of(child)


@pytest.mark.parametrize("name", ["worker.ask:1", "worker.result:1", "worker.result:4", "worker.told:4"])
def test_a_worker_killed_at_a_named_point_loses_and_repeats_nothing(tmp_path, monkeypatch, name):
    monkeypatch.setenv("AURICLE_KILL_AT", name)
    with WorkerClient(ODD, tmp_path / "worker.log") as client:
        found = by_id(outcomes(client, "odd", ten_items()))
    assert sorted(found) == sorted(str(n) for n in range(10))
    assert all(outcome.code is None for outcome in found.values())
    assert len({outcome.values["process"] for outcome in found.values()}) == 1 + (name not in FIRST_POINTS)


FIRST_POINTS = ("worker.ask:1", "worker.result:1")  # nothing was told before these


def test_an_item_that_kills_twice_is_passed_over_and_all_others_are_answered(odd):
    found = by_id(outcomes(odd, "odd", ten_items(n3="die", n7="exit")))

    failed = {name: outcome for name, outcome in found.items() if outcome.code}
    assert {name: outcome.code for name, outcome in failed.items()} == dict.fromkeys("37", "worker.killed_twice")
    assert failed["3"].error_values["exit"] == "signal 9"
    assert failed["7"].error_values["exit"] == "exit code 3"
    assert len(found) == 10


def test_an_item_that_hangs_twice_is_passed_over_and_all_others_are_answered(tmp_path):
    with WorkerClient(ODD, tmp_path / "worker.log", SHORT) as client:
        found = by_id(outcomes(client, "odd", ten_items(n1="hang")[:4]))
    assert found["1"].code == "worker.over_time"
    assert found["1"].error_values["reason"] == "no_answer"
    assert [found[name].code for name in "023"] == [None] * 3


def test_a_stopped_process_is_known_by_its_silence(tmp_path):
    limits = Limits(request_s=60.0, silence_s=2.0)
    with WorkerClient(ODD, tmp_path / "worker.log", limits) as client:
        found = by_id(outcomes(client, "odd", ten_items(n0="freeze")[:2]))
    assert (found["0"].code, found["0"].error_values["reason"]) == ("worker.over_time", "no_heartbeat")
    assert found["1"].code is None


def test_a_bug_is_one_items_failure_and_its_traceback_is_in_the_log(odd, tmp_path):
    found = by_id(outcomes(odd, "odd", ten_items(n5="bug")))
    assert {name: outcome.code for name, outcome in found.items() if outcome.code} == {"5": "worker.bug"}
    assert "made for a test" in found["5"].error_values["what"]
    assert "Traceback" in (tmp_path / "worker.log").read_text()


def test_lines_that_are_no_messages_do_no_harm(odd):
    found = by_id(outcomes(odd, "odd", ten_items(n2="garble")))
    assert [outcome.code for outcome in found.values()] == [None] * 10


def test_a_value_that_is_no_number_arrives_as_none(odd):
    assert outcomes(odd, "odd", [{"id": 1}])[0].values["level"] is None


def test_cancel_is_seen_during_a_call_and_the_worker_is_kept(odd, tmp_path):
    items = [{"id": 0}, {"id": 1, "do": "wait for cancel", "gate": made_gate(tmp_path)}, {"id": 2}]
    asked = odd.ask("odd", items)
    first = next(outcome for outcome in asked if outcome is not None)

    cancel_when_open(odd, items[1]["gate"])
    rest = [outcome.id for outcome in asked if outcome is not None]

    assert rest == [1], "what was complete is kept, what follows is not computed"
    assert outcomes(odd, "odd", [{"id": 9}])[0].values["process"] == first.values["process"]


def made_gate(folder):
    os.mkfifo(folder / "gate")
    return str(folder / "gate")


def cancel_when_open(client, gate):
    threading.Thread(target=lambda: (Path(gate).open().close(), client.cancel())).start()


def test_an_ask_that_is_closed_leaves_the_worker_free_for_the_next(odd):
    asked = odd.ask("odd", ten_items())
    first = next(outcome for outcome in asked if outcome is not None)
    asked.close()
    assert outcomes(odd, "odd", [{"id": "next"}])[0].values["process"] == first.values["process"]


def test_a_cancelled_worker_that_does_not_stop_is_replaced(tmp_path):
    with WorkerClient(ODD, tmp_path / "worker.log", Limits(cancel_s=0.5)) as client:
        items = [{"id": 0}, {"id": 1, "do": "hang", "gate": made_gate(tmp_path)}]
        asked = client.ask("odd", items)
        first = next(outcome for outcome in asked if outcome is not None)
        cancel_when_open(client, items[1]["gate"])
        assert [outcome for outcome in asked if outcome is not None] == []
        assert outcomes(client, "odd", [{"id": 2}])[0].values["process"] != first.values["process"]


def test_a_worker_that_died_while_nobody_asked_is_replaced_without_blame(odd):
    first = outcomes(odd, "odd", [{"id": 0}])[0].values["process"]
    os.kill(first, signal.SIGKILL)
    wait_for_the_end_of(first)
    found = outcomes(odd, "odd", ten_items())
    assert [outcome.code for outcome in found] == [None] * 10


def test_a_command_that_does_not_start_says_why(tmp_path):
    command = (sys.executable, "-c", "raise SystemExit('there is no such thing')")
    with pytest.raises(EngineError) as raised:
        WorkerClient(command, tmp_path / "worker.log").start()
    assert raised.value.code == "worker.did_not_start"
    assert "exit code 1" in raised.value.values["reason"]
    assert "there is no such thing" in str(raised.value)


def test_a_command_that_is_not_there_says_which(tmp_path):
    with pytest.raises(EngineError, match="no-such-program"):
        WorkerClient(("no-such-program",), tmp_path / "worker.log").start()


def test_a_request_that_cannot_be_answered_at_all_raises_with_the_workers_code(odd):
    with pytest.raises(EngineError) as raised:
        outcomes(odd, "dance", [{"id": 1}])
    assert raised.value.code == "worker.unknown_kind"
    assert "recognise" in str(raised.value)


def test_a_folder_named_engine_where_the_user_stands_is_not_taken_for_ours(tmp_path, monkeypatch):
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.py").write_text("raise SystemExit('the wrong one')")
    monkeypatch.chdir(tmp_path)
    with WorkerClient(COMMAND, tmp_path / "worker.log") as client:
        client.start()
        assert {"recognise", "quality", "facts", "describe"} <= set(client.abilities)
