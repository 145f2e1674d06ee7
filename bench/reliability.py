"""What faults do to an evening: `python -m bench.reliability`.

The figures are those of the tests of faults and devices, which are run (several minutes).
With `--write` they go to docs/RELIABILITY.md, between its marks.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
TESTS = (
    *("test_replug", "test_devices", "test_live_echo", "test_echo", "test_echo_canceller", "test_check"),
    *("test_faults_files", "test_faults_live", "test_faults_long"),
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
    arguments = sys.argv[1:]
    write = "--write" in arguments
    figures, failed, last = measured([one for one in arguments if one != "--write"])
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    width = max(len(what) for what, _ in figures) if figures else 0
    print(machine)
    for what, figure in figures:
        print(f"{what:<{width}}  {figure}")
    print(last, *(f"FAILED {name}" for name in failed), sep="\n")
    if write:
        rows = "\n".join(f"| {what} | {figure} |" for what, figure in figures)
        table = f"{BEGIN}\n{machine}. {last.strip('= ')}.\n\n| measured | |\n| --- | --- |\n{rows}\n{END}"
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(text[: text.index(BEGIN)] + table + text[text.index(END) + len(END) :], encoding="utf-8")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
