"""The library for all tests of a run, how a process with it is started, and the table at the end of the run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.faults import library

ROOT = Path(__file__).parents[2]
Told = dict[str, Any]
Measure = Callable[..., Told]


@pytest.fixture(scope="session")
def preload(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library, compiled."""
    why = library.why_not()
    if why:
        pytest.skip(f"no call can be made to fail: {why}")
    return library.compiled(tmp_path_factory.mktemp("faults"))


@pytest.fixture
def measure(preload: Path, tmp_path: Path, record_property: Callable[[str, object], None]) -> Measure:
    """Runs a module of this folder in a process with the library; what it tells goes into the table, and is returned."""

    def one(module: str, *words: str) -> Told:
        command = [sys.executable, "-m", f"tests.faults.{module}", str(tmp_path), *words]
        env = {**os.environ, "LD_PRELOAD": str(preload)}
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        told: Told = json.loads(done.stdout)
        record_property("faults", {**told, "kind": module})
        return told

    return one


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The table: how many points of each kind there were, how they came out, and how quickly."""
    reports = [report for key in ("passed", "failed") for report in terminalreporter.stats.get(key, [])]
    told = [value for report in reports if report.when == "call" for key, value in report.user_properties if key == "faults"]
    for kind in sorted({one["kind"] for one in told}):
        mine = [one for one in told if one["kind"] == kind]
        outcomes, total = Counter[str](), sum(one["points"] for one in mine)
        for one in mine:
            for counted in one["outcomes"].values():
                outcomes.update(counted)
        cpu = sum(one["cpu"] for one in mine)
        wrong = sum(len(one["wrong"]) for one in mine)
        terminalreporter.write_line(f"{kind}: {total} in {cpu:.0f} s of a processor, {total / cpu:.1f} a second; {wrong} wrong")
        for outcome, count in outcomes.most_common():
            terminalreporter.write_line(f"  {count:6} {outcome}")
