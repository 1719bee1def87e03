"""Make every call of a command fail once in every way, and judge the files left in a separate process.

Run by itself, with the library before everything else: ``python -m tests.faults.points FOLDER EVERY FROM CASE...``, or
``... FOLDER fresh CASE...`` for one point a command, once in a fork and once in a process that has just been started.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from tests.faults import cases, workspace
from tests.faults.cases import Case
from tests.faults.preload import MODES, NEVER, Faults, Mode
from tests.faults.workspace import State, run_in_fork
from tests.support.commands import Result

FREE = re.compile(r"may be kept|is saved|are saved|is kept as far as|what is in it stays")
"""Messages that do not claim that nothing was saved."""


class Point(NamedTuple):
    """One call that fails.

    Attributes:
        case: The command.
        mode: How the call fails.
        number: The number of the call.
    """

    case: Case
    mode: Mode
    number: int


class Run(NamedTuple):
    """A command with a failed call; ``result`` is None if the process was killed."""

    result: Result | None
    fired: str


class Baseline(NamedTuple):
    """A command without faults: the states before and after it, and its result."""

    before: State
    after: State
    result: Result


class Stage:
    """The folders of one process that makes calls fail.

    Args:
        home: The folder that holds them.
    """

    def __init__(self, home: Path) -> None:
        self.faults = Faults()
        self.home = home
        self.root = home / "root"
        self.copied = home / "copy"
        self.templates: dict[Any, Path] = {}
        self.seen: dict[str, State] = {}
        self.reruns: dict[tuple[str, str], tuple[Result | None, State]] = {}

    def template(self, case: Case) -> Path:
        """A folder as it is before the command of a case."""
        key = (case.before, case.live)
        if key not in self.templates:
            shutil.rmtree(self.root, ignore_errors=True)
            self.root.mkdir()
            _, status = run_in_fork(lambda: cases.lay(case, str(self.root)))
            assert status == 0, case.name
            self.templates[key] = self.home / f"template-{len(self.templates)}"
            self.root.rename(self.templates[key])
        return self.templates[key]

    def lay(self, case: Case) -> None:
        workspace.copy_folder(self.template(case), self.root)

    def state(self) -> State:
        """The state that a clean process reads, cached by checksum; read from a copy, since opening an archive changes it."""
        key = workspace.checksum(self.root)
        if key not in self.seen:
            workspace.copy_folder(self.root, self.copied)

            def work() -> State:
                workspace.enter(str(self.copied))
                return workspace.read_state(str(self.copied))

            found, status = run_in_fork(work)
            self.seen[key] = found or State((f"looking ended with {status}",), {}, ())
        return self.seen[key]

    def rerun(self, case: Case) -> tuple[Result | None, State]:
        """Run the command again without a fault; its result and the state after it."""
        key = case.name, workspace.checksum(self.root)
        if key not in self.reruns:
            self.reruns[key] = self.run(case, MODES[0])[0].result, self.state()
        return self.reruns[key]

    def run(self, case: Case, mode: Mode, number: int = NEVER, record: int = -1) -> tuple[Run, int]:
        """Run the command in a separate process; the run and the number of calls."""

        def work() -> tuple[Result, str, int]:
            workspace.enter(str(self.root))
            self.faults.below(str(self.root))
            self.faults.record(record)
            self.faults.arm(mode, number)
            result = cases.run(case.words)
            report = result, self.faults.fired, self.faults.counted
            self.faults.disarm()
            if record >= 0:
                self.faults.mark(f"ended {result.code}")
            return report

        report, status = run_in_fork(work)
        if report is None:
            assert os.WIFSIGNALED(status), f"{case.name}: the process of the command ended with {status}"
            return Run(None, mode.name), 0
        return Run(report[0], report[1]), report[2]

    def run_in_new_process(self, point: Point) -> Run:
        """Like ``run``, in a process started from nothing instead of a fork."""
        words = [str(self.home), str(self.root), str(MODES.index(point.mode)), str(point.number), point.case.words]
        done = subprocess.run(
            [sys.executable, "-m", "tests.faults.fresh_process", *words], capture_output=True, text=True, check=False
        )
        if done.returncode == -9:
            return Run(None, point.mode.name)
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        return Run(Result(*report["result"]), report["fired"])

    def baseline(self, case: Case) -> Baseline:
        """Run the command without a fault."""
        self.lay(case)
        before = self.state()
        done, _ = self.run(case, MODES[0])
        assert done.result is not None
        assert done.result.code in (0, 3), f"{case.name}: {done.result}"
        after = self.state()
        assert not before.faults and not after.faults, (case.name, before.faults, after.faults)
        return Baseline(before, after, done.result)

    def points(self, case: Case) -> Iterator[Point]:
        """Every call of a command in every failure mode."""
        counts = dict[int, int]()
        for mode in MODES:
            if mode.kinds not in counts:
                self.lay(case)
                counts[mode.kinds] = self.run(case, mode)[1]
            yield from (Point(case, mode, number) for number in range(1, counts[mode.kinds] + 1))


class Verdict(NamedTuple):
    """The outcome of a point, its message without paths, and the fault found ("" for none)."""

    outcome: str
    message: str
    wrong: str


def judge(stage: Stage, baseline: Baseline, point: Point, in_fork: bool = True) -> Verdict:
    """Run one point in a fresh folder, then the same command again."""
    stage.lay(point.case)
    run = stage.run(point.case, point.mode, point.number)[0] if in_fork else stage.run_in_new_process(point)
    state = stage.state()
    outcome, wrong = _compared(baseline, run, state, point)
    message = _message(run, stage)
    if not wrong:
        wrong = _again(stage, baseline, state, point)
    return Verdict(outcome, message, wrong)


def _compared(baseline: Baseline, run: Run, state: State, point: Point) -> tuple[str, str]:
    """The outcome and the fault found."""
    result = run.result
    if state.faults:
        return "damaged", "; ".join(state.faults)
    if result is not None and (result.code == 70 or "Traceback" in result.err):
        return "fault", result.err
    if state.litter and result is not None and "unlink" not in run.fired and point.mode.number != 2:
        return "litter", ", ".join(state.litter)
    same = state.files == baseline.after.files
    if result is not None and result.code in (0, 3):
        return ("acknowledged", "") if same else ("lost", f"acknowledged, but: {difference(baseline.after, state)}")
    said = "" if result is None else " ".join((result.out + result.err).split())
    if same and state.files != baseline.before.files:
        if result is None:
            return "killed, and kept", ""
        return ("told that it may be kept", "") if FREE.search(said) else ("kept, and told as not", said)
    if state.files == baseline.before.files or only_made(baseline, state):
        if result is None:
            return "killed, and not kept", ""
        return "refused", "" if "is saved" not in said else said
    if point.case.stages:
        return "a first part of it", ""
    return "half", difference(baseline.after, state)


def only_made(baseline: Baseline, state: State) -> bool:
    """True if the only new file is an empty archive."""
    fresh = {path: content for path, content in state.files.items() if baseline.before.files.get(path) != content}
    gone = baseline.before.files.keys() - state.files.keys()
    return not gone and all(_empty(content) and path not in baseline.before.files for path, content in fresh.items())


def _empty(content: Any) -> bool:
    return content == "nothing" or (isinstance(content, dict) and not content.get("sessions", 1) and not content["printed"])


def difference(wanted: State, state: State) -> str:
    paths = sorted(wanted.files.keys() | state.files.keys())
    return "; ".join(
        f"{path}: {_short(state.files.get(path))} for {_short(wanted.files.get(path))}"
        for path in paths
        if state.files.get(path) != wanted.files.get(path)
    )


def _short(content: Any) -> str:
    if isinstance(content, dict) and "sessions" in content:
        logs = ", ".join(f"{name} {len(one['log'])}" for name, one in content["sessions"].items())
        return f"[{logs}; {len(content['printed'])} facts; last {content['last']}]"
    return str(content)[:60]


def _message(run: Run, stage: Stage) -> str:
    """The message without paths and numbers, which differ between runs."""
    if run.result is None or not run.result.err:
        return ""
    return re.sub(r"\d+", "N", run.result.err.replace(str(stage.root), "")).replace("\n", " ")[:300]


def _again(stage: Stage, baseline: Baseline, state: State, point: Point) -> str:
    """Run the same command again without a fault; the fault found, or ""."""
    result, after = stage.rerun(point.case)
    if result is None or result.code == 70 or "Traceback" in result.err:
        return f"once more: {result}"
    if state.files == baseline.after.files and state.files != baseline.before.files:
        return ""  # it does it twice, or says that it is done
    if result.code != baseline.result.code or after.files != baseline.after.files or after.faults:
        return f"once more: {result.code} {result.err}: {difference(baseline.after, after)} {after.faults}"
    return ""


class Summary:
    """The outcomes of the points of one process, for the table."""

    def __init__(self) -> None:
        self.rows = Counter[tuple[str, str, str]]()
        self.messages = Counter[str]()
        self.wrong: list[str] = []

    def add(self, name: str, way: str, verdict: Verdict, where: str = "") -> None:
        """Count one point of a command."""
        self.rows[name, way, verdict.outcome] += 1
        self.messages[verdict.message] += 1
        if verdict.wrong:
            self.wrong.append(f"{name}: {way}{where}: {verdict.outcome}: {verdict.wrong[:600]} | {verdict.message}")

    def plain(self) -> dict[str, Any]:
        rows = [[*key, count] for key, count in self.rows.items()]
        cpu = sum(os.times()[:4])
        return {"rows": rows, "messages": self.messages, "wrong": self.wrong, "points": self.rows.total(), "cpu": cpu}


def measured(stage: Stage, names: list[str], every: int, first: int) -> Summary:
    """Judge every n-th point of some commands."""
    summary = Summary()
    for name in names:
        case = cases.case_of(name)
        baseline = stage.baseline(case)
        for point in islice(stage.points(case), first, None, every):
            summary.add(name, point.mode.name, judge(stage, baseline, point), f", call {point.number}")
    return summary


def compared(stage: Stage, names: list[str]) -> Summary:
    """Judge one point of each command in a fork and in a new process; the verdicts must agree."""
    summary = Summary()
    for index, name in enumerate(names):
        case = cases.case_of(name)
        baseline = stage.baseline(case)
        every = list(stage.points(case))
        point = every[len(every) * (2 * index + 1) // (2 * len(names))]  # of one its first, of another its last
        in_fork, in_new = judge(stage, baseline, point), judge(stage, baseline, point, in_fork=False)
        if not in_new.wrong and in_new != in_fork:
            in_new = in_new._replace(wrong=f"in a fork: {in_fork}")
        summary.add(name, point.mode.name, in_new, f", call {point.number}")
    return summary


def warm(home: Path, names: list[str]) -> None:
    """Run each command once in this process, so that per-process caches are filled before the forks."""
    import gc

    from typer.main import get_command

    from companion.cli.shell import app

    app.app = get_command(app.app)
    for name in names:
        case = cases.case_of(name)
        root = home / "warm"
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        cases.lay(case._replace(live=False), str(root))
        cases.run(case.words)
    gc.freeze()


def main() -> None:
    home, every, *words = sys.argv[1:]
    workspace.prepare_process(Path(home))
    stage = Stage(Path(home))
    if every == "fresh":
        warm(Path(home), words)
        summary = compared(stage, words)
    else:
        first, *names = words
        warm(Path(home), names)
        summary = measured(stage, names, int(every), int(first))
    print(json.dumps(summary.plain()))


if __name__ == "__main__":
    main()
