"""One long process that goes on playing after a call has failed: through the controller of a session, and in a terminal.

Run by itself, with the library before everything else: ``python -m tests.faults.playing FOLDER session|serve|table EVERY``.
Whoever plays answers again after a refusal. What was acknowledged is known at once to the process that watches, so that it is
known even where the process is killed.
"""

from __future__ import annotations

import json
import os
import pty
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from companion.core.errors import CompanionError
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.faults import cases, workspace
from tests.faults.points import Summary, Verdict
from tests.faults.preload import MODES, NEVER, Faults, Mode

TRIES = 3
"""How often the player answers again."""
BEGUN = cases.Case("", ("new tiny --seed 7 --name monday",), "")

STEPS: tuple[Callable[[SessionController], object], ...] = (
    lambda session: session.begin("march"),
    lambda session: session.reply("Red"),
    lambda session: session.reply("ford"),
    lambda session: session.note("across"),
    lambda session: session.begin("fight"),
    lambda session: session.reply("Red"),
    lambda session: session.reply("2"),
    lambda session: session.adjust([("supply", "3")], "seen"),
    lambda session: session.reply("yes"),
    lambda session: session.undo_reply(),
    lambda session: session.reply("no"),
    lambda session: session.begin("search"),
    lambda session: session.undo(2),
    lambda session: session.redo(),
    lambda session: session.setting(dice="physical"),
    lambda session: session.amend(2, 2, "hill-1"),
    lambda session: session.begin("rest"),
)

REQUESTS = (
    ["do", "march"],
    ["answer", "Red"],
    ["answer", "ford"],
    ["note", "across"],
    ["do", "fight", "Red"],
    ["answer", "2"],
    ["adjust", "supply", "3", "--why", "seen"],
    ["answer", "yes"],
    ["undo", "--reply"],
    ["answer", "no"],
    ["do", "search"],
    ["undo", "2"],
    ["redo"],
    ["do", "rest"],
)
"""Requests of another program to one server process."""

KEYS = (
    ("march", "Which unit"),
    ("red", "Where to"),
    ("ford", "Camp -> Ford"),
    ("/note across", "Noted"),
    ("fight", "Which unit"),
    ("blue", "Another round"),
    ("y", "hits"),
    ("/back", "n the table"),
    ("n", "The weather is"),
    ("rest", "Supply"),
    ("/undo", "n the table"),
)
"""Typed lines, each with a text that appears only when the line has been carried out."""
REFUSED = r"(?:the archive|the disk|no Companion archive)"


READY = "\x1b[?25h"
"""Written to the terminal when a prompt waits for input."""


class Played(NamedTuple):
    """The result of a process.

    Attributes:
        acknowledged: The numbers of the acknowledged steps, in order.
        refused: Messages of refusals.
        code: The exit code, or -9 if the process was killed.
    """

    acknowledged: tuple[int, ...]
    refused: tuple[str, ...]
    code: int
    counted: int = 0


class Truth(NamedTuple):
    """The session without faults: its log and, after each step, the length of the log and the open question."""

    log: Sequence[Any]
    lengths: tuple[int, ...]
    asked: dict[int, Any]


class Table:
    """The folder of the session, and the fault library."""

    def __init__(self, home: Path) -> None:
        self.faults = Faults()
        self.root = home / "root"
        self.template = home / "template"
        self.root.mkdir()
        _, status = workspace.run_in_fork(lambda: cases.lay(BEGUN, str(self.root)))
        assert status == 0
        self.root.rename(self.template)
        self.seen: dict[str, workspace.State] = {}

    def lay(self) -> None:
        workspace.copy_folder(self.template, self.root)

    def state(self) -> workspace.State:
        key = workspace.checksum(self.root)
        if key not in self.seen:

            def work() -> workspace.State:
                workspace.enter(str(self.root))
                return workspace.read_state(str(self.root))

            found, status = workspace.run_in_fork(work)
            self.seen[key] = found or workspace.State((f"looking ended with {status}",), {}, ())
        return self.seen[key]

    def armed(self, mode: Mode, number: int) -> None:
        workspace.enter(str(self.root))
        self.faults.below(str(self.root))
        self.faults.arm(mode, number)


Tell = Callable[[dict[str, Any]], object]
Script = Callable[[Tell, int, Faults], int]


# -- through the controller -------------------------------------------------------------------------------------------


def in_session(table: Table, mode: Mode, number: int, steps: int) -> Played:
    """Play the steps through the controller of a session."""
    return _in_process(table, mode, number, steps, _script)


def by_serve(table: Table, mode: Mode, number: int, steps: int) -> Played:
    """Has the requests carried out by ``companion serve``."""
    return _in_process(table, mode, number, steps, _served)


def _in_process(table: Table, mode: Mode, number: int, steps: int, script: Script) -> Played:
    """Plays a script in a process of its own."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(read)
            table.armed(mode, number)
            code = script(lambda summary: os.write(write, f"{json.dumps(summary)}\n".encode()), steps, table.faults)
        finally:
            os._exit(code)
    os.close(write)
    with os.fdopen(read) as pipe:
        lines = [json.loads(line) for line in pipe.read().splitlines()]
    status = os.waitpid(child, 0)[1]
    code = -9 if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    done = tuple(line["done"] for line in lines if "done" in line)
    refused = tuple(line["refused"] for line in lines if "refused" in line)
    return Played(done, refused, code, next((line["counted"] for line in lines if "counted" in line), 0))


def _served(tell: Tell, steps: int, faults: Faults) -> int:
    """As ``_script``."""
    from companion.cli.serve.server import Server, isolated_streams
    from companion.cli.shell.app import runner

    said: list[dict[str, Any]] = []
    server = Server(lambda text: said.append(json.loads(text)), runner())

    def carried_out(number: int) -> bool:
        for _ in range(TRIES):
            said.clear()
            server.answer(json.dumps({"id": number, "argv": REQUESTS[number]}).encode())
            answer = next(one for one in said if one.get("id") == number)
            if answer["exit"] in (0, 3):
                return True
            tell({"refused": f"{answer['error']['message']} {answer['error']['cure']}"})
            if answer["exit"] == 70:
                raise ValueError(str(answer))
        return False

    try:
        with isolated_streams():
            for number in range(steps):
                if not carried_out(number):
                    return 4
                tell({"done": number})
        tell({"counted": faults.counted})
        return 0
    except Exception as fault:
        tell({"refused": f"{type(fault).__name__}: {fault}"})
        return 70


def _script(tell: Tell, steps: int, faults: Faults) -> int:
    """Returns 0; 4 where a step was refused each time; 70 for what no player is to see."""

    def often(work: Callable[[], Any]) -> Any:
        for _ in range(TRIES):
            try:
                return work()
            except CompanionError as fault:
                tell({"refused": f"{fault.message} {fault.cure}"})
        return None

    try:
        archive = often(Archive.open)
        session = archive and often(lambda: SessionController.open(archive))
        if not session:
            return 4
        for number, step in enumerate(STEPS[:steps]):
            if often(lambda step=step: step(session) or True) is None:
                return 4
            tell({"done": number})
        archive.close()
        tell({"counted": faults.counted})
        return 0
    except Exception as fault:
        tell({"refused": f"{type(fault).__name__}: {fault}"})
        return 70


# -- at the table ------------------------------------------------------------------------------------------------------


def at_table(table: Table, mode: Mode, number: int, steps: int = len(KEYS)) -> Played:
    """Types the keys at ``companion play`` in a terminal."""
    import pexpect
    from pexpect.fdpexpect import fdspawn

    child, master = pty.fork()
    if child == 0:
        _play(table, mode, number)
    screen = fdspawn(master, timeout=30, encoding="utf-8", codec_errors="replace")
    done: list[int] = []
    refused: list[str] = []
    try:
        screen.expect(["action >", REFUSED, pexpect.EOF])
        if screen.after != "action >":
            raise EOFError
        screen.expect_exact(READY)
        for step, (keys, seen) in enumerate(KEYS[:steps]):
            for _ in range(TRIES):
                screen.send(f"{keys}\r")
                if screen.expect([seen, REFUSED, pexpect.EOF]) == 0:
                    done.append(step)
                    screen.expect_exact(READY)
                    break
                if screen.after is pexpect.EOF:
                    raise EOFError
                message = screen.after
                screen.expect_exact(READY)
                refused.append(" ".join((message + screen.before).split()))
            else:
                break
        screen.send("/quit\r")
        screen.expect([pexpect.EOF])
    except (EOFError, OSError, pexpect.EOF):
        pass
    except pexpect.TIMEOUT:
        refused.append(f"waited in vain: {screen.before!r}")
    status = _gone(child)
    os.close(master)
    return Played(tuple(done), tuple(refused), -9 if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))


def _gone(child: int) -> int:
    import signal

    for _ in range(200):
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return status
        time.sleep(0.05)
    os.kill(child, signal.SIGTERM)
    return os.waitpid(child, 0)[1]


def _play(table: Table, mode: Mode, number: int) -> NoReturn:
    from companion.cli.shell.main import main

    code = 70
    try:
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w", buffering=1), open(2, "w", buffering=1)  # noqa: SIM115
        os.environ |= {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "NO_COLOR": "1"}
        sys.argv = ["companion", "play"]
        table.armed(mode, number)
        main()
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    finally:
        sys.stdout.flush()
        if mode.number == 1 and number == NEVER:
            (table.root.parent / "counted").write_text(str(table.faults.counted))
        os._exit(code)


# -- the points --------------------------------------------------------------------------------------------------------

Way = Callable[[Table, Mode, int, int], Played]
WAYS: dict[str, tuple[Way, int]] = {
    "session": (in_session, len(STEPS)),
    "serve": (by_serve, len(REQUESTS)),
    "table": (at_table, len(KEYS)),
}


def truth(table: Table, play: Way, steps: int) -> Truth:
    """The session after no step, after one, and so on."""
    found = []
    for count in range(steps + 1):
        table.lay()
        played = play(table, MODES[0], NEVER, count)
        assert played.code == 0 and len(played.acknowledged) == count, played
        found.append(_session(table.state()))
    asked = {len(one["log"]): one["asked"] for one in found}
    return Truth(found[-1]["log"], tuple(len(one["log"]) for one in found), asked)


def _session(state: workspace.State) -> Any:
    return state.files[workspace.ARCHIVE]["sessions"]["monday"]


def points(counts: dict[int, int]) -> Iterator[tuple[Mode, int]]:
    for mode in MODES:
        yield from ((mode, number) for number in range(1, counts[mode.kinds] + 1))


def judged(truth: Truth, steps: int, mode: Mode, played: Played, state: workspace.State) -> tuple[str, str]:
    """The outcome, and what is wrong."""
    if state.faults:
        return "damaged", "; ".join(state.faults)
    if played.code not in (0, 2, 4, -9) or any("in vain" in text or "Error:" in text for text in played.refused):
        return "fault", str(played)
    found = _session(state)
    kept = len(found["log"])
    if found["log"] != truth.log[:kept]:
        return "doubled or half", f"{kept} rows: {found['log'][-3:]}"
    if kept < truth.lengths[len(played.acknowledged)]:
        return "lost", f"{kept} rows, {truth.lengths[len(played.acknowledged)]} acknowledged"
    if kept not in truth.asked:
        return "half", f"{kept} rows"
    if found["asked"] != truth.asked[kept]:
        return "another question", str(found["asked"])
    ahead = kept > truth.lengths[len(played.acknowledged)]
    if played.code == -9:
        return "killed, the last one kept" if ahead else "killed, the last one not kept", ""
    if ahead and not any("may be kept" in text for text in played.refused) and played.refused:
        return "kept, and told as not", str(played.refused[-1:])
    if len(played.acknowledged) == steps:
        return ("gone on after a refusal" if played.refused else "absorbed"), ""
    return "given up, and all is there", ""


def measured(home: Path, name: str, every: int) -> Summary:
    """Every so-manieth point of one way to play."""
    play, steps = WAYS[name]
    table, summary = Table(home), Summary()
    truly = truth(table, play, steps)
    counts = dict[int, int]()
    for mode in MODES:
        table.lay()
        played = play(table, mode._replace(number=1), NEVER, steps)
        counts[mode.kinds] = played.counted or int((home / "counted").read_text())
    for mode, number in islice(points(counts), 0, None, every):
        table.lay()
        played = play(table, mode, number, steps)
        outcome, why = judged(truly, steps, mode, played, table.state())
        message = "".join(played.refused[-1:])
        summary.add(name, mode.name, Verdict(outcome, message, why), f", call {number}")
    return summary


def main() -> None:
    import gc

    home, name, every = sys.argv[1:]
    workspace.prepare_process(Path(home))
    gc.freeze()
    print(json.dumps(measured(Path(home), name, int(every)).plain()))


if __name__ == "__main__":
    main()
