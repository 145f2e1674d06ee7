"""The wheel carries what play needs besides code, and works outside the repository."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from site import getsitepackages as site_packages

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
    assert {"narrator/rehearsal/chatter.toml", "narrator/faults.fr.toml"} <= names
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


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel in it and nothing of the repository, as `pipx install` makes one.

    What the wheel depends on comes from the environment of the tests, by a .pth file: nothing is downloaded.
    """
    folder = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=120)
    python = folder / "bin" / "python"
    site = Path(_output(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", folder=folder).strip())
    command = ["install", "-q", "--no-deps", "--no-index", "--disable-pip-version-check", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", "--python", str(python), *command], check=True, timeout=300)
    others = [path for path in map(Path, site_packages()) if path.is_dir()]
    (site / "others.pth").write_text("".join(f"{path}\n" for path in others))  # after our own packages
    return folder


def _output(program: Path, *arguments: str, folder: Path, text: str = "") -> str:
    """What an installed program prints, run far from the repository, with nothing of ours on its path."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "XDG_"))}
    env = {**kept, **{f"XDG_{name}_HOME": str(folder) for name in ("STATE", "CONFIG", "CACHE")}, "LANG": "fr_FR.UTF-8"}
    command = [str(program), *arguments]
    done = subprocess.run(
        command, cwd=folder, env=env, input=text, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_an_installed_narrator_is_whole(installed: Path, tmp_path: Path) -> None:
    python, narrator = installed / "bin" / "python", installed / "bin" / "narrator"
    where = _output(python, "-c", "import narrator; print(narrator.__file__)", folder=tmp_path)
    assert str(installed) in where
    assert "Préparer une table" in _output(narrator, "--help", folder=tmp_path)
    assert "stateDiagram-v2" in _output(narrator, "diagram", "village", folder=tmp_path)
    table = ("--players", "Alice, Bob, Chloé, David, Emma")
    _output(narrator, "setup", "--yes", "--no-voice", *table, "--first", "Alice", folder=tmp_path)
    assert "Alice propose Bob" in _output(
        narrator, "play", "--typed", "--fast", "--skip-setup", folder=tmp_path, text="je propose Bob\n"
    )
    page = tmp_path / "soiree.html"
    _output(narrator, "story", "--out", str(page), folder=tmp_path)
    assert page.read_text(encoding="utf-8").rstrip().endswith("</html>")
    _output(narrator, "new-game", "a-moi", "--yes", folder=tmp_path)
    assert (tmp_path / "a-moi" / "game.toml").is_file()
    assert "ExecStart=" in _output(narrator, "appliance", "--unit", "--user", "pi", folder=tmp_path)
    ear = "from narrator.ear.models import has_ear; print(has_ear('fr'), has_ear('en'))"
    assert _output(python, "-c", ear, folder=tmp_path).split() == ["True", "True"]


def test_an_installed_narrator_rehearses(installed: Path, tmp_path: Path) -> None:
    told = _output(installed / "bin" / "narrator", "rehearse", "--typed", folder=tmp_path)
    assert "Bonsoir, et bienvenue au palais" in told


def test_pages_and_words_are_inside(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    package = ROOT / "narrator"
    files = [path for path in package.rglob("*") if path.is_file() and path.suffix not in (".pyc", ".py")]
    assert {path.name for path in files} >= {"index.html", "app.js", "page.html", "narrator.service", "habits.toml"}
    assert [path for path in files if str(path.relative_to(ROOT)) not in names] == []
