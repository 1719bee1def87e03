"""The tested commands, each with the commands that prepare its folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from tests.faults import workspace
from tests.support.commands import Result, companion

Words = Sequence[str]


class Case(NamedTuple):
    """A command and its initial state.

    Attributes:
        name: The name of the case.
        before: The commands that prepare its folder.
        words: The command.
        live: True if the process before it ended without closing the archive, so that its last writes are in the WAL only.
        stages: True if intermediate states are valid: complete states that the command has reported, or a first part that
            the same command continues.
    """

    name: str
    before: tuple[str, ...]
    words: str
    live: bool = False
    stages: bool = False


NEW = ("new tiny --seed 7 --name monday",)
CARDS = ("new tiny --scenario night --seed 7 --name dark",)
ASKED = (*NEW, "do march Red ford", "do fight Blue")
PLAYED = (*NEW, "do march Red ford", "do search", "do rest")
UNDONE = (*PLAYED, "undo 2")
FACTS = "FILE facts.toml"
REAL = ("new fallujahcards --seed 1 --draws physical --name patrol",)

CASES = (
    Case("new, the first", (), "new tiny --seed 7 --name monday"),
    Case("new, one more", NEW, "new tiny --seed 8 --name tuesday"),
    Case("new, with a question", NEW, "new tiny --scenario night --seed 8 --name tuesday"),
    Case("new, of a real game", (), "new fallujahcards --seed 1 --draws physical --name patrol"),
    Case("do", NEW, "do march Red ford"),
    Case("do, with a question", NEW, "do fight Blue"),
    Case("do, of a real game", REAL, "do turn --draw mounted"),
    Case("do, after a crash", PLAYED, "do rest", live=True),
    Case("do, that learns", NEW, "do roam ford easy"),
    Case("answer", ASKED, "answer yes"),
    Case("answer, to the end", ASKED, "answer no"),
    Case("answer, after a crash", ASKED, "answer yes", live=True),
    Case("answer, that is remembered", (*NEW, "do fight Red"), "answer 2"),
    Case("undo", PLAYED, "undo"),
    Case("undo --reply", (*ASKED, "answer yes"), "undo --reply"),
    Case("undo --to", PLAYED, "undo --to 2"),
    Case("undo, of what was learnt", (*NEW, "do roam ford easy"), "undo"),
    Case("redo", UNDONE, "redo"),
    Case("amend", PLAYED, "amend 2.2 hill-1"),
    Case("adjust", PLAYED, "adjust supply 3 --why seen"),
    Case("adjust, in mid-action", ASKED, "adjust supply 3 --why seen"),
    Case("note", PLAYED, "note the bridge was blown"),
    Case("branch", PLAYED, "branch what-if"),
    Case("luck", PLAYED, "luck"),
    Case("luck, after a crash", PLAYED, "luck", live=True),
    Case("branch, with its luck", (*PLAYED, "luck"), "branch what-if"),
    Case("use", (*NEW, "new tiny --seed 8 --name tuesday"), "use monday"),
    Case("quick battle", NEW, "do duel --game tiny 2"),
    Case("printed set", NEW, "printed tiny set depth:north 4"),
    Case("printed set, and a session follows", (*NEW, "do fight Red 2 no"), "printed tiny set strength:Red 3"),
    Case("printed import", (*NEW, FACTS), "printed tiny import facts.toml"),
    Case("printed forget", (*NEW, "printed tiny set depth:north 4"), "printed tiny forget depth:north"),
    Case("printed export", (*NEW, "printed tiny set depth:north 4"), "printed tiny export known.toml"),
    Case("map tell", NEW, "map tiny tell 'camp marsh; paths ford'"),
    Case("map import", (*NEW, "FILE map.txt"), "map tiny import map.txt"),
    Case("map export", (*NEW, "map tiny tell 'camp marsh; paths ford'"), "map tiny export map.csv"),
    Case("bundle", PLAYED, "bundle fault.json"),
    Case("bundle --restore", (*PLAYED, "bundle fault.json"), "bundle --restore fault.json"),
    Case("backup", PLAYED, "backup copy.sqlite3"),
    Case("backup --force", (*PLAYED, "backup copy.sqlite3", "do rest"), "backup copy.sqlite3 --force"),
    Case("backup, after a crash", PLAYED, "backup copy.sqlite3", live=True),
    Case("doctor", PLAYED, "doctor"),
    Case("doctor --repair", PLAYED, "doctor --repair repaired.sqlite3"),
    Case("config, the first", (), "config theme light"),
    Case("config, another", ("config theme light", "config dice physical"), "config theme dark"),
    Case("report", PLAYED, "report --out game.md"),
    Case("report --force", (*PLAYED, "report --out game.html", "do rest"), "report --out game.html --force"),
    Case("report, in a folder", PLAYED, "report --out told/"),
    Case("simulate, to a csv", (), "simulate tiny --policy random --seed s --games 4 --out games.csv", stages=True),
    Case("simulate, to a table", (), "simulate tiny --policy random --seed s --games 4 --out games.db", stages=True),
    Case(
        "simulate, on with it",
        ("simulate tiny --policy random --seed s --games 2 --out games.csv",),
        "simulate tiny --policy random --seed s --games 4 --out games.csv",
        stages=True,
    ),
    Case("completions --install", (), "completions bash --install", stages=True),
    Case("game new", (), "game new passing"),
    Case("practice", (), "practice phantomfury --seed 1", stages=True),
    Case("practice, once more", ("practice tiny --seed 1",), "practice tiny --seed 2"),
    Case("an older archive", ("OLD",), "note it was brought up to date"),
    Case("status", PLAYED, "status"),
    Case("status, after a crash", ASKED, "status --json", live=True),
    Case("stats", PLAYED, "stats"),
    Case("log", PLAYED, "log"),
    Case("audit", PLAYED, "audit --json"),
    Case("sessions", PLAYED, "sessions --json"),
)

NAMES = [case.name for case in CASES]


def case_of(name: str) -> Case:
    return next(case for case in CASES if case.name == name)


def words_of(line: str) -> list[str]:
    import shlex

    return shlex.split(line)


def run(line: str) -> Result:
    """Run a command line in the folder of the case."""
    return companion(*words_of(line))


def lay(case: Case, root: str) -> None:
    """Prepare the folder of a case; run it in a fork."""
    workspace.enter(root)
    *early, last = ("", *case.before) if case.live else (*case.before, "")
    for line in early:
        _lay_one(line, root)
    if case.live and last:
        # the process ends like a killed one, with the archive open
        from companion.cli.shell import output, process

        output.close_all = process.close_all = lambda: None
        _lay_one(last, root)


def _lay_one(line: str, root: str) -> None:
    if not line:
        return
    if line.startswith("FILE "):
        name = line.split()[1]
        with open(os.path.join(root, name), "w", encoding="utf-8") as file:
            file.write(_FILES[name])
    elif line == "OLD":
        _unpack(root)
    else:
        done = run(line)
        assert done.code in (0, 3), f"{line}: {done.code} {done.out}{done.err}"


_FILES = {
    "facts.toml": 'game = "tiny"\n[facts]\n"depth:north" = "3"\n"strength:Red" = "2"\n"weather" = "foul"\n',
    "map.txt": "camp marsh; paths ford\nford plain; paths hill-1 steep\n",
}


def _unpack(root: str) -> None:
    """An archive of the first schema."""
    import gzip

    kept = os.path.join(os.path.dirname(os.path.dirname(__file__)), "archives", "266895b", "fallujahcards-question.sqlite3.gz")
    os.makedirs(os.path.join(root, "home"), exist_ok=True)
    with gzip.open(kept) as packed, open(os.path.join(root, workspace.ARCHIVE), "wb") as file:
        file.write(packed.read())
