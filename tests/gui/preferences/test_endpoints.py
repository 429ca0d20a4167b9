from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import Qt

from engine.endpoints.keys import ApiKey
from gui.preferences.endpoints import KeptEndpoint, kept_endpoints
from tests.engine.judges.server import Reply, Server, json_reply

REMOTE = "https://api.openai.com/v1"
SECRET = "sk-very-secret-123456"


def kept(name: str = "judge", base_url: str = REMOTE, **more) -> dict:
    return KeptEndpoint(name, base_url, "model-1", **more).told()


@pytest.fixture
def write(open_page, qtbot):
    """Add an endpoint by typing it and pressing Enter; gives the page."""

    def add(**fields: str):
        page = open_page("judges")
        page.add_endpoint()
        for name, text in fields.items():
            getattr(page.form, name).setText(text)
        qtbot.keyClick(page.form.model, Qt.Key.Key_Return)
        return page

    return add


def test_without_an_endpoint_the_page_says_what_still_works_and_offers_to_add_one(open_page):
    page = open_page("judges")
    assert page.rows == []
    assert page._first.isVisible()
    assert "not judged yet" in page._empty.accessibleName()


def test_an_endpoint_is_added_by_keyboard_and_kept_in_the_settings(write, services):
    page = write(address="http://127.0.0.1:8000/v1/chat/completions", model="qwen", price_in="0,5", price_out="1")
    assert services.settings.get("endpoints") == [
        {
            "name": "qwen", "base_url": "http://127.0.0.1:8000/v1", "model": "qwen", "key_env": "",
            "concurrency": 32, "price_in": 0.5, "price_out": 1.0,
        }
    ]  # fmt: skip
    assert [row.entry.name for row in page.rows] == ["qwen"]
    assert page.form.isHidden()


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("address", "nonsense", "http://127.0.0.1:8000/v1"),
        ("address", "https://h/v1?api_key=1", "keyring"),
        ("model", "", "which model"),
        ("variable", SECRET, "field above"),
        ("at_once", "0", "1 to 128"),
        ("at_once", "many", "1 to 128"),
        ("price_in", "-1", "from 0"),
        ("price_in", "nan", "from 0"),
        ("price_in", "1", "both"),
    ],
)
def test_a_wrong_field_is_told_beside_it_and_nothing_is_kept(open_page, services, field, text, said):
    page = open_page("judges")
    page.add_endpoint()
    page.form.address.setText("http://127.0.0.1:8000/v1")
    page.form.model.setText("m")
    getattr(page.form, field).setText(text)
    page.form.save.click()
    assert said in page.form.error.sentence()
    assert services.settings.get("endpoints") == []
    wrong = [
        name
        for name in ("address", "model", "variable", "at_once", "price_in", "price_out")
        if getattr(page.form, name).property("error") == "true"
    ]
    assert wrong == ["price_out" if said == "both" else field]


def test_two_endpoints_cannot_have_one_name(write, services):
    write(address="http://127.0.0.1:1/v1", model="m")
    page = write(address="http://127.0.0.1:2/v1", model="m")
    assert "another" in page.form.error.sentence().lower()
    assert len(services.settings.get("endpoints")) == 1


def test_leaving_the_form_changes_nothing(open_page, services, qtbot):
    services.settings.set("endpoints", [kept()])
    page = open_page("judges")
    page.rows[0].change.click()
    page.form.name.setText("other")
    qtbot.keyClick(page.form.name, Qt.Key.Key_Escape)
    assert services.settings.get("endpoints") == [kept()]
    assert page.rows[0].isVisible()


def test_a_changed_endpoint_keeps_its_place_and_forgets_its_old_test(open_page, services):
    services.settings.set("endpoints", [kept("a", "http://127.0.0.1:9/v1"), kept("b")])
    page = open_page("judges")
    page.model.results["a"] = object()
    page.rows[0].change.click()
    page.form.name.setText("c")
    page.form.save.click()
    assert [entry["name"] for entry in services.settings.get("endpoints")] == ["c", "b"]
    assert page.model.results == {}


def test_an_endpoint_is_removed_only_when_the_user_says_so(open_page, services):
    services.settings.set("endpoints", [kept()])
    page = open_page("judges")
    services.asked.answer = False
    page.rows[0].remove.click()
    assert len(services.settings.get("endpoints")) == 1
    services.asked.answer = True
    page.rows[0].remove.click()
    assert services.settings.get("endpoints") == []


def test_the_test_call_says_who_answered_without_loading_openai_here(open_page, services, qtbot):
    with Server(lambda body, count: "ready") as server:
        services.settings.set("endpoints", [kept("judge", server.base_url)])
        page = open_page("judges")
        page.rows[0].test.click()
        assert page.rows[0].test.text() == "Stop"
        qtbot.waitUntil(lambda: page.rows[0].said != "", timeout=40_000)
    assert page.rows[0].said.startswith("loopback answered in")
    assert page.rows[0].test.text() == "Test call"
    assert "openai" not in sys.modules


def test_a_test_call_that_fails_says_in_the_language_of_now_what_to_do(open_page, services, qtbot, monkeypatch):
    monkeypatch.setenv("MY_KEY", SECRET)
    with Server(lambda body, count: json_reply({"error": {"message": f"no: {SECRET}"}}, 401)) as server:
        services.settings.set("endpoints", [kept("judge", server.base_url, key_env="MY_KEY")])
        page = open_page("judges")
        page.rows[0].test.click()
        qtbot.waitUntil(lambda: page.rows[0].said != "", timeout=40_000)
    assert "Check the key" in page.rows[0].said
    services.words.use("zh")
    assert "请检查密钥" in page.rows[0].said
    assert SECRET not in page.rows[0].said


def test_a_test_call_can_be_stopped_and_another_one_made(open_page, services, qtbot, idle):
    with Server(lambda body, count: Reply(fault="hang")) as server:
        services.settings.set("endpoints", [kept("judge", server.base_url)])
        page = open_page("judges")
        page.rows[0].test.click()
        qtbot.waitUntil(lambda: len(server.requests) == 1, timeout=40_000)
        page.rows[0].test.click()
        idle()
        assert page.rows[0].said == ""
        assert page.rows[0].test.text() == "Test call"
        page.rows[0].test.click()
        qtbot.waitUntil(lambda: len(server.requests) == 2, timeout=40_000)
        page.rows[0].test.click()
        idle()


def test_without_a_keyring_the_page_says_how_to_give_a_key(open_page, services):
    services.settings.set("endpoints", [kept()])
    page = open_page("judges")
    assert "no keyring" in page.keyring_line
    assert "export AURICLE_API_KEY" in page.keyring_line
    assert "OPENAI_API_KEY" in page.rows[0].key_line
    page.rows[0].change.click()
    assert not page.form.key.isEnabled()
    assert "No keyring here" in page.form.key_note


def test_a_key_goes_into_the_keyring_and_nowhere_else(write, services, ring, idle, tmp_path, qtbot):
    page = write(address=REMOTE, model="m")
    idle()
    page.rows[0].change.click()
    idle()
    assert page.form.key.isEnabled()
    page.form.key.setText(SECRET)
    page.form.save.click()
    assert page.form.key.text() == ""
    qtbot.waitUntil(lambda: "is kept" in page.rows[0].key_line, timeout=10_000)
    assert ring.kept == {("auricle", "api.openai.com"): SECRET}
    services.settings.close()
    idle()
    written = "".join(path.read_text(errors="replace") for path in tmp_path.rglob("*") if path.is_file())
    assert SECRET not in written
    assert "api.openai.com" in written


def test_a_kept_key_is_never_shown_and_can_be_removed(open_page, services, ring, idle, qtbot):
    ring.kept["auricle", "api.openai.com"] = SECRET
    services.settings.set("endpoints", [kept()])
    page = open_page("judges")
    page.rows[0].change.click()
    idle()
    assert page.form.key.text() == ""
    assert "never shown" in page.form.key_note
    assert page.form.forget.isVisible()
    page.form.forget.click()
    qtbot.waitUntil(lambda: not page.form.forget.isVisible(), timeout=10_000)
    assert ring.kept == {}


def test_a_key_that_cannot_be_kept_is_told(open_page, services, ring, idle, qtbot):
    services.settings.set("endpoints", [kept()])
    page = open_page("judges")
    page.model.keep_key(REMOTE, ApiKey("no key at all"))
    qtbot.waitUntil(lambda: page.key_error.sentence() != "", timeout=10_000)
    assert "without blanks" in page.key_error.sentence()
    idle()


def test_a_key_of_the_environment_goes_before_the_keyring_and_is_named(open_page, services, ring, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    services.settings.set("endpoints", [kept()])
    page = open_page("judges")
    assert page.rows[0].key_line == "Key from the variable OPENAI_API_KEY."


def test_what_a_hand_wrote_into_the_settings_does_no_harm():
    entries = [
        "nonsense",
        {"name": "no address"},
        {"base_url": "http://h/v1", "concurrency": 10**9, "price_in": "dear", "price_out": True},
        {"base_url": 7, "model": None},
    ]
    found = kept_endpoints(entries)
    assert [entry.name for entry in found] == ["http://h/v1", "7"]
    assert found[0].concurrency == 32
    assert (found[0].price_in, found[0].price_out) == (None, None)


def test_hostile_names_do_not_widen_the_page(screen, open_page, services):
    names = ["x" * 100_000, "\u202eevil\u200b\x00\n\n", "العربية" * 50]
    services.settings.set("endpoints", [kept(name, "http://127.0.0.1:9/v1") for name in names])
    screen.resize(800, 450)
    page = open_page("judges")
    assert page._column.width() <= page.width()
    assert all(row.width() <= page.width() for row in page.rows)
