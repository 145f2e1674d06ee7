"""What faults do to an evening: `python -m bench.reliability [--kills 200] [--write]`.

The figures are those of the tests of faults and devices, which are run, and of bench.kills (a quarter of an hour).
With `--write` they go to docs/RELIABILITY.md, between its marks. Other arguments are pytest's.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from bench import kills

ROOT = Path(__file__).resolve().parent.parent
TESTS = (
    *("test_replug", "test_devices", "test_live_echo", "test_echo", "test_echo_canceller", "test_check"),
    *("test_hearing", "test_faults_files", "test_faults_live", "test_faults_long", "test_disk_full"),
    *("test_owed", "test_journal", "test_views_sockets", "test_voice_synth", "test_archives", "test_ear_stock"),
)
PAGE = ROOT / "docs" / "RELIABILITY.md"
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"


def measured(extra: list[str]) -> tuple[list[tuple[str, str]], list[str], str]:
    """(what, figure) of every test, the names of those that failed, and pytest's last line."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        files = [str(ROOT / "tests" / f"{name}.py") for name in TESTS]
        command = [sys.executable, "-m", "pytest", *files, f"--junitxml={report}", "-q", *extra]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        tree = ElementTree.parse(report)
    figures, failed = [], []
    for case in tree.iter("testcase"):
        figures += [(one.attrib["name"], one.attrib["value"]) for one in case.iter("property")]
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(case.attrib["name"])
    return figures, failed, run.stdout.strip().splitlines()[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="rehearsals killed at a random moment and resumed")
    parser.add_argument("--write", action="store_true", help="to docs/RELIABILITY.md")
    asked, extra = parser.parse_known_args()
    rows, failed, last = measured(extra)
    uncut, cuts = kills.killed(asked.kills)
    rows += kills.figures(uncut, cuts)
    failed += [f"kill -9 in {cut.game} after {cut.events} events: {cut.wrong}" for cut in cuts if cut.wrong]
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    width = max(len(what) for what, _ in rows)
    print(machine)
    for what, figure in rows:
        print(f"{what:<{width}}  {figure}")
    print(last, *(f"FAILED {name}" for name in failed), sep="\n")
    if asked.write:
        _write(f"{machine}. {last.strip('= ')}.", rows)
    sys.exit(1 if failed else 0)


def _write(head: str, rows: list[tuple[str, str]]) -> None:
    """Between the marks of the page."""
    lines = "\n".join(f"| {what} | {figure} |" for what, figure in rows)
    table = f"{BEGIN}\n{head}\n\n| measured | |\n| --- | --- |\n{lines}\n{END}"
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text[: text.index(BEGIN)] + table + text[text.index(END) + len(END) :], encoding="utf-8")


if __name__ == "__main__":
    main()
