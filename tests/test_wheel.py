"""The wheel carries what play needs besides code, and works outside the repository."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--disable-pip-version-check",
        "-w",
        str(folder),
    ]
    subprocess.run([*command, str(ROOT)], check=True, timeout=300)
    return next(folder.glob("narrator-*.whl"))


def test_scripts_and_voices_are_inside(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for kind in ("scripts", "voices"):
        files = [p for p in (ROOT / kind).rglob("*") if p.is_file()]
        assert files
        missing = [p for p in files if f"narrator/_data/{p.relative_to(ROOT)}" not in names]
        assert not missing
    assert "narrator/rehearsal/chatter.toml" in names
    assert not [name for name in names if name.startswith(("tests/", "training/", "bench/"))]


def test_it_plays_from_anywhere(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    table = tmp_path / "t.toml"
    table.write_text('game = "sultan"\nfirst = "A"\nplayers = ["A", "B", "C", "D", "E"]\n', encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "site"), "XDG_STATE_HOME": str(tmp_path)}
    code = "import narrator; assert 'site' in narrator.__file__.split('/'); from narrator.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "play", "--typed", "--fast", "--skip-setup", "--table", str(table)],
        cwd=tmp_path,
        env=env,
        input="je propose B\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "A propose B comme Narratrice." in done.stdout
