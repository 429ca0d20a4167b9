from __future__ import annotations

from contextlib import closing

import pytest
from PySide6.QtCore import Qt

from engine.store.makers import Floor, Maker, maker_id, set_floors
from engine.store.transaction import transaction
from engine.store.workspace import open_workspace


@pytest.fixture
def page(open_page):
    return open_page("recogniser")


@pytest.fixture
def measured(tmp_path, open_here):
    """Open a workspace in which the packaged recogniser's floors are known."""

    def make(**rates: int) -> None:
        workspace = open_workspace(tmp_path / "w", create=True)
        with closing(workspace.connect()) as db, transaction(db):
            maker = Maker("recogniser", "faster-whisper", settings={"asked": {"weights": "packaged"}})
            metrics = {"zh": "syllable_error_rate", "en": "word_error_rate"}
            floors = [Floor(name, metrics[name], errors, 1000, 10, "known") for name, errors in rates.items()]
            set_floors(db, maker_id(db, maker), floors)
        open_here(tmp_path / "w")

    return make


def test_what_is_set_is_shown(page):
    assert page.backends["faster-whisper"].isChecked()
    assert page.kinds.value == "packaged"
    assert page.device.value == "auto"


def test_another_device_holds_at_once(page, services):
    page.model.set_device("cpu")
    assert services.settings.get("device") == "cpu"
    assert page.device.value == "cpu"


def test_another_back_end_waits_for_its_weights_before_it_holds(page, services, qtbot, tmp_path):
    page.backends["transformers"].click()
    assert services.settings.get("recogniser")["backend"] == "faster-whisper"
    assert "Until then the old choice holds" in page.check.sentence()
    page.folder.setFocus()
    page.folder.setText(str(tmp_path))
    qtbot.keyClick(page.folder, Qt.Key.Key_Return)
    assert services.settings.get("recogniser") == {
        "backend": "transformers", "weights": str(tmp_path), "revision": None, "compute_type": "default",
    }  # fmt: skip


def test_a_hub_id_is_kept_with_its_revision(page, services):
    page.kinds.chosen.emit("hub")
    page.hub.setText("openai/whisper-tiny")
    page.revision.setText("main")
    page.hub.editingFinished.emit()
    told = services.settings.get("recogniser")
    assert (told["weights"], told["revision"]) == ("openai/whisper-tiny", "main")


def test_weights_that_are_not_here_are_told_with_the_way_to_get_them(page, idle):
    page.model.set_weights("nobody/nothing", None)
    idle()
    assert "nobody/nothing is not on this computer" in page.check.sentence()
    assert "auricle models fetch nobody/nothing" in page.check.sentence()


def test_a_type_that_the_back_end_does_not_know_goes_back_to_the_default(page):
    page.model.set_compute_type("int8")
    page.model.set_backend("transformers")
    assert page.model.draft.compute_type == "default"
    shown = [page.compute_type.itemData(place) for place in range(page.compute_type.count())]
    assert shown == ["default", "float16", "bfloat16", "float32"]


def test_a_back_end_that_is_not_installed_says_how_to_get_it(page, monkeypatch, idle):
    import importlib.util

    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "whisper" else found(name))
    page.model.look()
    idle()
    note = page._backend_notes["openai-whisper"].text()
    assert "Not installed" in note
    assert "pip install" in note
    assert "in Settings" not in note  # one is there
    assert "Not installed" not in page._backend_notes["faster-whisper"].text()


def test_a_graphics_processor_that_is_not_here_is_told(page, monkeypatch, idle):
    import shutil

    monkeypatch.setattr(shutil, "which", lambda name: None)
    page.model.set_device("cuda")
    idle()
    assert page._device_note.isVisible()


def test_without_a_workspace_the_floor_is_unknown(page):
    assert page.floor_text.startswith("Not measured yet")


def test_a_floor_that_allows_the_cut_and_one_that_does_not_are_said_in_words(page, measured, idle):
    measured(zh=18, en=68)
    idle()
    assert "Chinese: 0.018. At most half of the cut of 0.05" in page.floor_text
    assert "English: 0.068. Over half of the cut" in page.floor_text


def test_what_a_hand_wrote_into_the_settings_gives_way_to_what_ships(services, open_page):
    services.settings.set("recogniser", {"backend": 7, "weights": None, "compute_type": ["x"]})
    services.settings.set("device", "quantum")
    page = open_page("recogniser")
    assert page.model.draft.backend == "faster-whisper"
    assert page.model.draft.device == "auto"
