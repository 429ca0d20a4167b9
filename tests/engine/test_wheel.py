"""The wheel, installed in a fresh environment outside the checkout, finds what it ships and runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The python of an environment with the wheel; other packages are those of the tests' own environment."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("auricle-*.whl")
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    site = next(Path(p) for p in sys.path if p.endswith("site-packages"))
    own = next((folder / "env" / "lib").glob("python*")) / "site-packages"
    (own / "outside.pth").write_text(f"{site}\n")
    install = [
        str(python),
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--no-index",
        "--quiet",
        "--force-reinstall",
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    return python


def run(python: Path, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "AURICLE"))}
    return subprocess.run(
        [str(python.parent / "auricle"), *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_carries_resources_and_the_sample_pack(installed, tmp_path):
    code = "from engine.shipped import shipped; print(shipped('judges').parent, shipped('data/sample'), sep='\\n')"
    out = subprocess.run([str(installed), "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert all("_shipped" in line and str(ROOT) not in line for line in out.split())


def test_published_overalls_are_printed_outside_the_checkout(installed, tmp_path):
    ended = run(installed, "published", "overall", "--json", folder=tmp_path)
    rows = json.loads(ended.stdout)
    assert (ended.returncode, len(rows)) == (0, 15)
    assert set(rows[0]) == {"system", "printed", "recomputed", "difference"}


def test_the_sample_workspace_is_made_outside_the_checkout(installed, tmp_path):
    ended = run(installed, "sample", "--workspace", str(tmp_path / "w"), folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "w" / "auricle.db").exists()
