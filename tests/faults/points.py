"""Every call of a command fails once in every way; what is left is judged by a process that knows nothing of it.

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

from tests.faults import cases, ground
from tests.faults.cases import Case
from tests.faults.ground import State, apart
from tests.faults.library import MODES, NEVER, Faults, Mode
from tests.support.commands import Result

FREE = re.compile(r"may be kept|is saved|are saved|is kept as far as|what is in it stays")
"""What a message says where it does not claim that nothing is kept."""


class Point(NamedTuple):
    """One call that fails.

    Attributes:
        case: the command.
        mode: how.
        number: which of its calls.
    """

    case: Case
    mode: Mode
    number: int


class Run(NamedTuple):
    """A command with a call that failed; ``result`` is None where it was killed."""

    result: Result | None
    fired: str


class Known(NamedTuple):
    """A command that nothing disturbs: the states before and after it, and what it ends with."""

    before: State
    after: State
    result: Result


class Ground:
    """The folders of one process that makes calls fail.

    Args:
        home: where they lie.
    """

    def __init__(self, home: Path) -> None:
        self.faults = Faults()
        self.home = home
        self.root = home / "root"
        self.look = home / "look"
        self.templates: dict[Any, Path] = {}
        self.seen: dict[str, State] = {}
        self.gone_on: dict[tuple[str, str], tuple[Result | None, State]] = {}

    def template(self, case: Case) -> Path:
        """The folder of a case as it is before its command."""
        key = (case.before, case.live)
        if key not in self.templates:
            shutil.rmtree(self.root, ignore_errors=True)
            self.root.mkdir()
            _, status = apart(lambda: cases.lay(case, str(self.root)))
            assert status == 0, case.name
            self.templates[key] = self.home / f"template-{len(self.templates)}"
            self.root.rename(self.templates[key])
        return self.templates[key]

    def lay(self, case: Case) -> None:
        ground.fresh(self.template(case), self.root)

    def state(self) -> State:
        """What a clean process finds; in a copy, since looking changes what the next command meets. Where every byte is as it was
        found before, so is what is found.
        """
        key = ground.bytes_of(self.root)
        if key not in self.seen:
            ground.fresh(self.root, self.look)

            def work() -> State:
                ground.stand_on(str(self.look))
                return ground.found(str(self.look))

            found, status = apart(work)
            self.seen[key] = found or State((f"looking ended with {status}",), {}, ())
        return self.seen[key]

    def once_more(self, case: Case) -> tuple[Result | None, State]:
        """What comes of the command on what is left, without a fault."""
        key = case.name, ground.bytes_of(self.root)
        if key not in self.gone_on:
            self.gone_on[key] = self.run(case, MODES[0])[0].result, self.state()
        return self.gone_on[key]

    def run(self, case: Case, mode: Mode, number: int = NEVER, record: int = -1) -> tuple[Run, int]:
        """The command in a process of its own, and how many calls it made."""

        def work() -> tuple[Result, str, int]:
            ground.stand_on(str(self.root))
            self.faults.below(str(self.root))
            self.faults.record(record)
            self.faults.arm(mode, number)
            result = cases.run(case.words)
            told = result, self.faults.fired, self.faults.counted
            self.faults.disarm()
            if record >= 0:
                self.faults.mark(f"ended {result.code}")
            return told

        told, status = apart(work)
        if told is None:
            assert os.WIFSIGNALED(status), f"{case.name}: the process of the command ended with {status}"
            return Run(None, mode.name), 0
        return Run(told[0], told[1]), told[2]

    def run_anew(self, point: Point) -> Run:
        """As ``run``, in a process that has imported nothing yet."""
        words = [str(self.home), str(self.root), str(MODES.index(point.mode)), str(point.number), point.case.words]
        done = subprocess.run([sys.executable, "-m", "tests.faults.anew", *words], capture_output=True, text=True, check=False)
        if done.returncode == -9:
            return Run(None, point.mode.name)
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        return Run(Result(*told["result"]), told["fired"])

    def known(self, case: Case) -> Known:
        """The command undisturbed."""
        self.lay(case)
        before = self.state()
        done, _ = self.run(case, MODES[0])
        assert done.result is not None
        assert done.result.code in (0, 3), f"{case.name}: {done.result}"
        after = self.state()
        assert not before.faults and not after.faults, (case.name, before.faults, after.faults)
        return Known(before, after, done.result)

    def points(self, case: Case) -> Iterator[Point]:
        """Every call of a command, in every way."""
        counts = dict[int, int]()
        for mode in MODES:
            if mode.kinds not in counts:
                self.lay(case)
                counts[mode.kinds] = self.run(case, mode)[1]
            yield from (Point(case, mode, number) for number in range(1, counts[mode.kinds] + 1))


class Verdict(NamedTuple):
    """How a point came out: the outcome for the table, the message without its paths, and what is wrong ("" for nothing)."""

    outcome: str
    message: str
    wrong: str


def judge(stage: Ground, known: Known, point: Point, in_fork: bool = True) -> Verdict:
    """One point from a fresh folder to the same command once more."""
    stage.lay(point.case)
    run = stage.run(point.case, point.mode, point.number)[0] if in_fork else stage.run_anew(point)
    state = stage.state()
    outcome, wrong = _compared(known, run, state, point)
    message = _message(run, stage)
    if not wrong:
        wrong = _again(stage, known, state, point)
    return Verdict(outcome, message, wrong)


def _compared(known: Known, run: Run, state: State, point: Point) -> tuple[str, str]:
    """The outcome, and what is wrong with it."""
    result = run.result
    if state.faults:
        return "damaged", "; ".join(state.faults)
    if result is not None and (result.code == 70 or "Traceback" in result.err):
        return "fault", result.err
    if state.litter and result is not None and "unlink" not in run.fired and point.mode.number != 2:
        return "litter", ", ".join(state.litter)
    same = state.files == known.after.files
    if result is not None and result.code in (0, 3):
        return ("acknowledged", "") if same else ("lost", f"acknowledged, but: {difference(known.after, state)}")
    said = "" if result is None else " ".join((result.out + result.err).split())
    if same and state.files != known.before.files:
        if result is None:
            return "killed, and kept", ""
        return ("told that it may be kept", "") if FREE.search(said) else ("kept, and told as not", said)
    if state.files == known.before.files or only_made(known, state):
        if result is None:
            return "killed, and not kept", ""
        return "refused", "" if "is saved" not in said else said
    if point.case.stages:
        return "a first part of it", ""
    return "half", difference(known.after, state)


def only_made(known: Known, state: State) -> bool:
    """Whether all that is new is an archive with nothing in it."""
    fresh = {path: content for path, content in state.files.items() if known.before.files.get(path) != content}
    gone = known.before.files.keys() - state.files.keys()
    return not gone and all(_empty(content) and path not in known.before.files for path, content in fresh.items())


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


def _message(run: Run, stage: Ground) -> str:
    """The message, with paths and numbers that differ from run to run left out."""
    if run.result is None or not run.result.err:
        return ""
    return re.sub(r"\d+", "N", run.result.err.replace(str(stage.root), "")).replace("\n", " ")[:300]


def _again(stage: Ground, known: Known, state: State, point: Point) -> str:
    """The same command once more, without a fault; what is wrong with that, or ""."""
    result, after = stage.once_more(point.case)
    if result is None or result.code == 70 or "Traceback" in result.err:
        return f"once more: {result}"
    if state.files == known.after.files and state.files != known.before.files:
        return ""  # it does it twice, or says that it is done
    if result.code != known.result.code or after.files != known.after.files or after.faults:
        return f"once more: {result.code} {result.err}: {difference(known.after, after)} {after.faults}"
    return ""


class Told:
    """What a process tells of its points, for the table."""

    def __init__(self) -> None:
        self.rows = Counter[tuple[str, str, str]]()
        self.messages = Counter[str]()
        self.wrong: list[str] = []

    def add(self, name: str, way: str, verdict: Verdict, where: str = "") -> None:
        """One point more: of which command, how it failed, how that came out."""
        self.rows[name, way, verdict.outcome] += 1
        self.messages[verdict.message] += 1
        if verdict.wrong:
            self.wrong.append(f"{name}: {way}{where}: {verdict.outcome}: {verdict.wrong[:600]} | {verdict.message}")

    def plain(self) -> dict[str, Any]:
        rows = [[*key, count] for key, count in self.rows.items()]
        cpu = sum(os.times()[:4])
        return {"rows": rows, "messages": self.messages, "wrong": self.wrong, "points": self.rows.total(), "cpu": cpu}


def measured(stage: Ground, names: list[str], every: int, first: int) -> Told:
    """Some commands through, of their points each so-manieth: what came out, by case."""
    told = Told()
    for name in names:
        case = cases.case_of(name)
        known = stage.known(case)
        for point in islice(stage.points(case), first, None, every):
            told.add(name, point.mode.name, judge(stage, known, point), f", call {point.number}")
    return told


def compared(stage: Ground, names: list[str]) -> Told:
    """Of each command one point twice: that it is a fork changes nothing."""
    told = Told()
    for at, name in enumerate(names):
        case = cases.case_of(name)
        known = stage.known(case)
        every = list(stage.points(case))
        point = every[len(every) * (2 * at + 1) // (2 * len(names))]  # of one its first, of another its last
        ours, anew = judge(stage, known, point), judge(stage, known, point, in_fork=False)
        if not anew.wrong and anew != ours:
            anew = anew._replace(wrong=f"in a fork: {ours}")
        told.add(name, point.mode.name, anew, f", call {point.number}")
    return told


def warm(home: Path, names: list[str]) -> None:
    """Runs each command once in this very process, so that what is made once a process is made before the forks."""
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
    ground.settle(Path(home))
    stage = Ground(Path(home))
    if every == "fresh":
        warm(Path(home), words)
        told = compared(stage, words)
    else:
        first, *names = words
        warm(Path(home), names)
        told = measured(stage, names, int(every), int(first))
    print(json.dumps(told.plain()))


if __name__ == "__main__":
    main()
