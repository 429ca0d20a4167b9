"""A hub on loopback that has a small model, and a cache and settings of the test's own."""

from __future__ import annotations

import pytest

from tests.engine.models.hub import WEIGHTS, Hub, serving


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A hub that has a small model, and a cache and settings of this test's own."""
    import huggingface_hub.constants as constants
    from huggingface_hub import close_session

    files = {"config.json": b"{}", "README.md": b"# words", "model.safetensors": WEIGHTS}
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("AURICLE_CONFIG", str(tmp_path / "config"))
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    close_session()
    with serving(Hub(files)) as served:
        monkeypatch.setattr(constants, "ENDPOINT", served.address)
        monkeypatch.setattr(
            constants, "HUGGINGFACE_CO_URL_TEMPLATE", served.address + "/{repo_id}/resolve/{revision}/{filename}"
        )
        yield served
    close_session()
