"""The fault library of a test run, the fixture that runs a module with it, and the table at the end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest

from tests.faults.preload import compiled, why_not

ROOT = Path(__file__).parents[2]
Summary = dict[str, Any]
Measure = Callable[..., Summary]
FIRST, WIDE = 36, 11
"""Columns of the table."""


@pytest.fixture(scope="session")
def preload(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library, compiled."""
    why = why_not()
    if why:
        pytest.skip(f"no call can be made to fail: {why}")
    return compiled(tmp_path_factory.mktemp("faults"))


@pytest.fixture
def measure(preload: Path, tmp_path: Path, record_property: Callable[[str, object], None]) -> Measure:
    """Runs a module of this folder in a process with the library; its summary is returned and added to the table."""

    def run_module(module: str, *words: str) -> Summary:
        command = [sys.executable, "-m", f"tests.faults.{module}", str(tmp_path), *words]
        env = {**os.environ, "LD_PRELOAD": str(preload)}
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        summary: Summary = json.loads(done.stdout)
        record_property("faults", {**summary, "kind": module})
        return summary

    return run_module


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the tables: points of each kind and command, their outcomes and times."""
    reports = [report for key in ("passed", "failed") for report in terminalreporter.stats.get(key, [])]
    summary = [value for report in reports if report.when == "call" for key, value in report.user_properties if key == "faults"]
    for kind in sorted({one["kind"] for one in summary}):
        for line in table(kind, [one for one in summary if one["kind"] == kind]):
            terminalreporter.write_line(line)


def table(kind: str, summary: list[Summary]) -> Iterator[str]:
    """The lines of a table: points by command and failure, then outcomes."""
    counted, outcomes = Counter[tuple[str, str]](), Counter[str]()
    for name, way, outcome, count in (row for one in summary for row in one["rows"]):
        counted[name, way] += count
        outcomes[outcome] += count
    names, ways = (list(dict.fromkeys(key[at] for key in counted)) for at in (0, 1))
    total, cpu, wrong = outcomes.total(), sum(one["cpu"] for one in summary), sum(len(one["wrong"]) for one in summary)
    yield ""
    heads = [wrap(way, WIDE - 1) for way in [*ways, "all"]]
    for line in range(max(map(len, heads))):
        yield (kind if not line else "").ljust(FIRST) + "".join(f"{''.join(head[line : line + 1]):>{WIDE}}" for head in heads)
    for name in names:
        cells = [counted[name, way] for way in ways]
        yield name.ljust(FIRST) + "".join(f"{cell:{WIDE}}" for cell in [*cells, sum(cells)])
    cells = [sum(counted[name, way] for name in names) for way in ways]
    yield "all".ljust(FIRST) + "".join(f"{cell:{WIDE}}" for cell in [*cells, total])
    yield f"{kind}: {total} in {cpu:.0f} s of a processor, {total / cpu:.1f} a second; {wrong} wrong"
    yield from (f"  {count:6} {outcome}" for outcome, count in outcomes.most_common())
