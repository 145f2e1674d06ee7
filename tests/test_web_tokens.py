"""The secret part of the page's addresses: unguessable, apart for table and master, and the same after a power cut."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from narrator.core.setting import Setting
from narrator.stage.tables import write_table
from narrator.web.tokens import MASTER, TABLE, token


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


def test_an_evening_keeps_its_tokens_and_shares_them_with_no_other(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    tokens = [token(one, TABLE), token(one, MASTER), token(other, TABLE), token(other, MASTER)]
    assert len(set(tokens)) == 4
    assert all(re.fullmatch(r"[\w-]{22}", one) for one in tokens)
    assert tokens == [token(one, TABLE), token(one, MASTER), token(other, TABLE), token(other, MASTER)]


def test_another_users_key_makes_other_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = token(tmp_path / "one.jsonl", TABLE)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    assert token(tmp_path / "one.jsonl", TABLE) != mine


def test_the_key_is_its_owners(tmp_path: Path) -> None:
    token(tmp_path / "one.jsonl", TABLE)
    key = tmp_path / "narrator" / "web.key"
    assert stat.S_IMODE(os.stat(key).st_mode) == 0o600
    assert len(key.read_bytes()) == 32


def test_without_a_journal_or_a_key_it_is_chance(tmp_path: Path) -> None:
    assert token(None, TABLE) != token(None, TABLE)
    (tmp_path / "narrator").mkdir()
    (tmp_path / "narrator" / "web.key").write_bytes(b"short")
    assert token(tmp_path / "one.jsonl", TABLE) != token(tmp_path / "one.jsonl", TABLE)
    (tmp_path / "narrator" / "web.key").unlink()
    (tmp_path / "narrator" / "web.key").mkdir()
    assert len(token(tmp_path / "one.jsonl", TABLE)) == 22


def test_a_resumed_evening_is_at_the_same_address(tmp_path: Path) -> None:
    table, journal = tmp_path / "t.toml", tmp_path / "evening.jsonl"
    write_table(Setting("sultan", "fr", ("Alice", "Bob", "Chloé", "David", "Emma"), "Alice"), table)
    urls = []
    for more in (["--table", str(table), "--skip-setup"], ["--resume"]):
        done = subprocess.run(
            [sys.executable, "-m", "narrator", "play", "--typed", "--web", "0", "--journal", str(journal), *more],
            env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path)},
            input="je propose Chloé\n",
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        urls += re.findall(r"http://127\.0\.0\.1:\d+/([\w-]+)/", done.stdout)
    assert len(urls) == 2
    assert urls[0] == urls[1]
