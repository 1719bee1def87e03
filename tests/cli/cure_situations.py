"""Situations in which a message names a cure, for `test_cures_in_place`: what leads there, what is refused, what is typed."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple, NoReturn

import pytest

from companion.core import limits
from companion.core.events import FlagSet
from companion.core.values import JsonObject
from companion.games import GAMES
from companion.session.controller import SessionController
from companion.session.files import tables_dir
from companion.session.state import LogBatch, SessionLog, load_game
from companion.session.store import Archive
from companion.session.transfer import bundle
from tests.support import tiny

Fault = Callable[[pytest.MonkeyPatch], None]

APRIL = ("printed fallujah2004 import practice", "new fallujah2004 --scenario vigilant_resolve --name april --seed 7")
CARDS = ("new fallujahcards --seed 7",)
FURY = ("new phantomfury --seed 7",)
"""A session that asks the questions of its set-up."""
IRAQ = ("new iraqwar2003 --seed 7",)
IRAQ_SET = ("printed iraqwar2003 import practice", *IRAQ)
ALBANY = ("printed lzalbany import practice", "new lzalbany --seed 7")
TRUSTED = ("new lzalbany --option map=practice --dice trusted",)
DUEL = ("new lzalbany --dice trusted --option map=practice --name duel --seed 7",)
FURY_SET = ("new phantomfury --scenario practice --seed keys --accept",)


class Situation(NamedTuple):
    """A message and its cure.

    Attributes:
        begun: The lines that lead there.
        wrong: The line that is refused, or warned about.
        cure: The cure as the package writes it.
        typed: What is typed then; () for the commands of the cure as they are printed.
        lasting: A fault that lasts while the cure is typed.
        passing: A fault that has passed by then.
        terminal: There is a terminal, at which nothing more is typed.
        code: What the cure exits with, besides 0 and 3.
    """

    begun: tuple[str, ...]
    wrong: str
    cure: str
    typed: tuple[str, ...] = ()
    lasting: Fault | None = None
    passing: Fault | None = None
    terminal: bool = False
    code: int = 0


TINY = ("new tiny --seed 7",)
AMBUSH = ("new ambush --seed 7",)


def _ford(name: str, run: Callable[..., object]) -> Fault:
    return lambda patch: patch.setattr(f"tests.support.tiny.Ford.{name}", run)


async def _broken(referee: object) -> None:
    raise LookupError("a hole in the rules")


async def _interrupted(referee: object) -> None:
    raise KeyboardInterrupt


async def _other_question(referee: tiny.Ford) -> None:
    await referee.number("height", "How high", "2.2", 1, 9)


_broken_rest, _interrupted_rest = _ford("rest", _broken), _ford("rest", _interrupted)
_changed_fight = _ford("fight", _other_question)


def at_trusted_roll(patch: pytest.MonkeyPatch) -> None:
    """Begin a session with trusted dice in which a roll waits, and the other seat asks to take its action back."""
    from random import Random

    from companion.session.trusted import ConsentPending
    from tests.support.trusted import begin, play_to_roll

    with Archive.open() as archive:
        session = begin(archive)
        play_to_roll(session, Random(3), shares=False)
        session.seat = "nva"
        with pytest.raises(ConsentPending):
            session.undo()


def no_fight(patch: pytest.MonkeyPatch) -> None:
    actions = [action for action in load_game("tiny").actions if action.id != "fight"]
    patch.setattr(tiny.Tiny, "actions", property(lambda game: actions))


def _editor(patch: pytest.MonkeyPatch) -> None:
    patch.delenv("VISUAL", raising=False)
    patch.setenv("EDITOR", "true")


def _full(*_: object, **__: object) -> NoReturn:
    raise OSError(28, "No space left on device")


def _full_temporary_folder(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("tempfile.mkdtemp", _full)


class _FullFile(StringIO):
    def write(self, text: str) -> int:
        _full()

    def fileno(self) -> int:
        return os.open(os.devnull, os.O_WRONLY)


def _full_stdout(patch: pytest.MonkeyPatch) -> None:
    files = iter((_FullFile(), StringIO()))  # stdout and stderr
    patch.setattr("tests.support.commands.io", SimpleNamespace(StringIO=partial(next, files)))


def _played_elsewhere(patch: pytest.MonkeyPatch) -> None:
    commit = SessionLog.commit

    def late(log: SessionLog, batch: LogBatch) -> None:
        patch.undo()
        with Archive.open() as archive:
            SessionController.open(archive).note("x")
        commit(log, batch)

    patch.setattr(SessionLog, "commit", late)


def _broken_tables(patch: pytest.MonkeyPatch) -> None:
    shutil.copytree(tables_dir(), "tables")
    Path("tables/fallujahcards/report.toml").write_text("broken", encoding="utf-8")
    patch.setenv("COMPANION_TABLES", os.path.abspath("tables"))


def _failing_disk(*_: object) -> NoReturn:
    fault = sqlite3.OperationalError("disk I/O error")
    fault.sqlite_errorcode = sqlite3.SQLITE_IOERR
    raise fault


def raw(*statements: str) -> None:
    """Change the archive behind the back of its triggers."""
    with closing(sqlite3.connect(os.environ["COMPANION_DB"])) as raw, raw:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            raw.execute(statement)


def _large_value(patch: pytest.MonkeyPatch) -> None:
    raw("INSERT INTO log VALUES (1, 99, 'note', 1, '{\"text\": \"' || printf('%.200000c', 'x') || '\"}', 't')")
    patch.setattr(limits, "BODY", 100_000)


def _older(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("companion.session.database.SCHEMA", 99)


def _damaged_log(patch: pytest.MonkeyPatch) -> None:
    raw("UPDATE log SET body = 'x' WHERE seq = 1")


def _stray_row(patch: pytest.MonkeyPatch) -> None:
    raw("INSERT INTO log VALUES (77, 1, 'note', 1, '{}', 't')")


def _endless_trigger(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("companion.session.database.LONGEST_STATEMENT", 0.2)
    patch.setattr("companion.session.database._OPCODES", 100_000)
    endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    raw(f"CREATE TRIGGER evil AFTER INSERT ON log BEGIN SELECT count(*) FROM ({endless}); END")


def _bad_fact(patch: pytest.MonkeyPatch) -> None:
    raw("UPDATE printed SET value = 'zzz' WHERE key = 'space:1-2'")


def _empty_suspects_cup(patch: pytest.MonkeyPatch) -> None:
    with Archive.open() as archive:
        session = SessionController.open(archive)
        session.adjust([(piece.id, "beside the map") for piece in session.position.at("suspects cup")], "x")


def _obsolete_zone(patch: pytest.MonkeyPatch) -> None:
    """Enter Zone 14 as versions before 1.0 stored it; no command does so any more."""
    with Archive.open() as archive:
        session = SessionController.open(archive)
        batch, number = session.log.new_batch(), session.history.next_number
        batch.entry(number, "adjust", {})
        batch.complete(number, [FlagSet("zone:14", session.position.flag("zone:14"), "counts")])
        session.log.commit(batch)


def _other_note(patch: pytest.MonkeyPatch) -> None:
    raw("UPDATE log SET body = '{\"text\": \"another\"}' WHERE kind = 'note'")


def _write_mail(*rows: tuple[str, JsonObject]) -> None:
    """Write the session to mail.json as the other player would, with some more rows."""
    with Archive.open() as archive:
        document = bundle(archive, archive.session())
    count = len(document["rows"])
    document["rows"] += [[count + number, kind, 0, body, "2026-11-29T12:00:00Z"] for number, (kind, body) in enumerate(rows, 1)]
    Path("mail.json").write_text(json.dumps(document), encoding="utf-8")


def _computer_dice_by_mail(patch: pytest.MonkeyPatch) -> None:
    _write_mail(("setting", {"dice": "computer"}))


def _computer_dice_here(patch: pytest.MonkeyPatch) -> None:
    raw("INSERT INTO log SELECT 1, max(seq) + 1, 'setting', 0, '{\"dice\": \"computer\"}', max(at) FROM log")
    _write_mail(("note", {"text": "x"}))


def _consent_in_my_name(patch: pytest.MonkeyPatch) -> None:
    _write_mail(("trust", {"at": "1.1", "step": "consent", "seat": "us", "value": "yes"}))


def _no_map(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(tiny.Tiny, "make_map", lambda game: None)


def _no_folder(patch: pytest.MonkeyPatch) -> None:
    patch.setenv("XDG_DATA_HOME", "/dev/null")


FURY_JOLAN = ("printed phantomfury import practice", "new phantomfury --seed 7 --accept")
RAIL = (
    "printed iraqwar2003 import practice",
    "new iraqwar2003 --seed 7 --option railway=on",
    "do end --anyway",
    "do supply --accept",
)


def _few_games(patch: pytest.MonkeyPatch) -> None:
    """Let the default number of games be small."""
    patch.setattr("companion.cli.commands.simulate.parse_between", lambda *_: 2)


ENEMIES = (("G1/M1", "2-R"), ("G1/M1", "3-2"), ("G1/M2", "3-R"), ("G1/M1", "12-R"))
"""Those of the practice set-up, with their places."""

SITUATIONS = (
    Situation((), "status", "Begin one: companion new GAME", ("new fallujah2004",)),
    Situation(APRIL, "odds", "Ask for a situation: companion odds GAME SITUATION", ("odds fallujah2004 isr",)),
    Situation(
        APRIL, "map fallujah2004 export a b", "Like this: companion map {} export map.csv", ("map fallujah2004 export map.csv",)
    ),
    Situation(
        APRIL,
        "printed fallujah2004 export a b",
        "Like this: companion printed {} export set.toml",
        ("printed fallujah2004 export set.toml",),
    ),
    Situation(APRIL, "luck april --session april", "Name it once: companion luck SESSION", ("luck april",)),
    Situation(
        (*TINY, "do rest"), "review tiny --session tiny", "Name it once: companion review SESSION", ("review --level quick",)
    ),
    Situation((), "tables zzz", "Like this: companion tables check", ("tables check",)),
    Situation(APRIL, "audit ops", "Like this: companion audit WHAT=VALUE", ("audit ops=30",)),
    Situation(
        APRIL, "log --follow --json", "A program asks again: companion log --since ACTION --json", ("log --since 1 --json",)
    ),
    Situation(CARDS, "map fallujahcards tell x", "What it asks for: companion printed {}", ("printed fallujahcards",)),
    Situation(
        CARDS, "printed fallujahcards import practice", "See what it asks for: companion printed {}", ("printed fallujahcards",)
    ),
    Situation(APRIL, "adjust '' 1 --why x", "What there is: companion show, companion games {}", ("show", "games fallujah2004")),
    Situation(APRIL, "adjust flag: 1 --why x", "See what is set: companion show flags", ("show flags",)),
    Situation(
        APRIL, "do second", "Start one: companion new fallujah2004 --scenario campaign", ("new fallujah2004 --scenario campaign",)
    ),
    Situation((), "odds fallujahcards next", "Start one: companion new fallujahcards", ("new fallujahcards",)),
    Situation((), "do fire --game phantomfury", "Begin one: companion new {}", ("new phantomfury",)),
    Situation(
        IRAQ, "do rail", "Start a new one: companion new iraqwar2003 --option {}=on", ("new iraqwar2003 --option railway=on",)
    ),
    Situation(APRIL, "map fallujah2004 tell", 'Like this: companion map {} tell "{}"'),
    Situation(("printed lzalbany import practice",), "map lzalbany tell", 'Like this: companion map {} tell "{}"'),
    Situation(("printed iraqwar2003 import practice",), "map iraqwar2003 tell", 'Like this: companion map {} tell "{}"'),
    Situation(("printed phantomfury import practice",), "map phantomfury tell", 'Like this: companion map {} tell "{}"'),
    Situation((), "map fallujah2004 tell", 'Like this: companion map {} tell "{}"'),
    Situation(FURY, "do fire", "Answer it: companion answer; or begin again: companion new {}"),
    Situation((*CARDS, "do turn"), "luck", "What its cards did: companion report"),
    Situation((*APRIL, "adjust ops 30 --why x", "undo"), "amend 2.1 40", "See: companion log --undone"),
    Situation((*CARDS, "bundle b.zip"), "bundle --restore", "companion bundle --restore FILE", ("bundle --restore b.zip",)),
    Situation(
        (*DUEL, "bundle b.json"),
        "bundle c.json --seat us",
        "companion bundle --restore FILE --seat SEAT",
        ("bundle --restore b.json --seat us",),
    ),
    Situation(
        (*CARDS, "note one", "bundle b.json"),
        "bundle --restore b.json",
        "Nothing of it is taken over. Look at it apart: companion bundle --restore FILE --db other.sqlite3",
        ("bundle --restore b.json --db other.sqlite3",),
        passing=_other_note,
    ),
    Situation(
        DUEL,
        "bundle --restore mail.json",
        "Nothing of it is taken over. If you did it on a page: companion bundle --restore FILE --db other.sqlite3",
        ("bundle --restore mail.json --db other.sqlite3",),
        passing=_consent_in_my_name,
    ),
    Situation(
        DUEL,
        "bundle --restore mail.json",
        "Nothing of it is taken over. Look closer: companion verify FILE",
        ("verify mail.json",),
        passing=_computer_dice_by_mail,
        code=4,
    ),
    Situation(DUEL, "bundle --restore mail.json", "Look closer: companion verify", passing=_computer_dice_here, code=4),
    Situation(
        APRIL,
        "printed fallujah2004 set x",
        "Like this: companion printed {} set KEY VALUE",
        ("printed fallujah2004 set space:1-2 none",),
    ),
    Situation(
        APRIL,
        "printed fallujah2004 forget",
        "Like this: companion printed {} forget KEY",
        ("printed fallujah2004 forget space:1-2",),
    ),
    Situation(APRIL, "adjust 'USMC 3/1' 'reaction cup' --why x", "See: companion show cups"),
    Situation(
        CARDS, "stats fallujahcards --against none.db", "Write one: companion simulate {} --out FILE.db", lasting=_few_games
    ),
    Situation((), "simulate", "Name one: companion simulate GAME", ("simulate fallujahcards",), lasting=_few_games),
    Situation((), "new lzalbany --replay fallujahcards/7/1", "companion new --replay {}"),
    Situation(APRIL, "do interdict", "A new one: companion new fallujah2004 --option {}=on"),
    Situation((), "odds fallujah2004 draw", "Start one: companion new fallujah2004"),
    Situation(
        APRIL, "adjust 'new:unit:USMC 3/1' recruit --why x", "Move it: companion adjust '{}' SPACE", ("adjust 'USMC 3/1' 3-4",)
    ),
    Situation(
        APRIL,
        "adjust 3/1 2-2 --why x",
        "If it has: companion adjust fact:space:{} 'urban NAME'",
        ("adjust fact:space:2-2 'urban NAME'",),
    ),
    Situation(APRIL, "adjust 'new:marker:Bridge Blown' 3-4 --why x", "If there is one: companion adjust fact:space:{} '{}'"),
    Situation(
        (*APRIL, "adjust 3/1 'north base'", "adjust 3/5 'north base'"),
        "adjust 'Leader A' 'north base' --why x",
        'Name his unit: companion adjust "{}.with" "{}"',
        (),
    ),
    Situation(
        (*APRIL, "adjust 3/1 'north base'"),
        "adjust 'Leader A' 'east base' --why x",
        'Name his unit: companion adjust "{}.with" "{}"',
        (),
    ),
    Situation(
        (*APRIL, "adjust new:leader recruit"),
        "adjust 'Leader A.with' 3/1 --why x",
        'First: companion adjust "{}" SPACE',
        ("adjust 'USMC 3/1' 3-4",),
    ),
    Situation(
        (*APRIL, "adjust 'Arms Cache' 3-6"),
        "adjust 'Hostage House' 3-6 --why x",
        'Take that one away first: companion adjust "{}@{}" "{}"',
        (),
    ),
    Situation(
        (*APRIL, "adjust new:leader recruit", "adjust 3/1 'north base'"),
        "adjust 'Leader A' leading --why x",
        "Name the space of his unit, or the unit: companion adjust LEADER.with UNIT",
        ("adjust 'Leader A.with' 3/1",),
    ),
    Situation(
        (*APRIL, "adjust 3/1 2-3", "do j3"),
        "answer 1-2",
        'If it has: companion adjust fact:space:{} "urban NAME" --why TEXT',
        ("adjust fact:space:1-2 'urban Jolan' --why 'a slip'",),
    ),
    Situation(
        (*APRIL, "printed fallujah2004 set route:2-3/2-4 none", "adjust 3/1 2-3", "do j3"),
        "answer 2-4",
        "If one does: companion printed fallujah2004 set route:{} land",
        (),
    ),
    Situation(
        (*CARDS, "adjust 'Tight Alley' target"),
        "adjust 'Sniper Team' target --why x",
        'Put that one where it is first: companion adjust "{}@target" discard',
        (),
    ),
    Situation(CARDS, "adjust 'Tight Alley' hand --why x", "See: companion show places"),
    Situation(IRAQ_SET, "adjust F-15 1123 --why x", "See: companion show places"),
    Situation(IRAQ_SET, "adjust new:box:x map --why x", 'Enter the site again: companion adjust fact:radar:north "aa 3"'),
    Situation(
        (*IRAQ_SET, "adjust 'new:unit:us 6/3ID 6-5-8/4-3-8 div:3ID' map"),
        "adjust 'new:unit:us 6/3ID 6-5-8/4-3-8 div:3ID' map --why x",
        "Move it: companion adjust {} HEX",
        ("adjust 6/3ID 3135",),
    ),
    Situation(
        ALBANY,
        "adjust 'new:unit:A/2-7 1 inf 2-3/1-2' b3 --why x",
        "Move it: companion adjust {} AREA; other strengths: strength",
        ("adjust 1/A/2-7 c1",),
    ),
    Situation(
        ALBANY,
        "adjust 'new:flare:Flare 1' 'flare track' --why x",
        'Move it: companion adjust "{}" AREA',
        ("adjust 'Flare 1' c1",),
    ),
    Situation(
        (
            "new lzalbany --seed 7 --option us=companion",
            "adjust flag:phase action flag:named:x1 yes 1/A/2-7 x1",
            "map lzalbany tell 'x1 beside x3'",
            "do chit --draw 'US Fire' --anyway",
        ),
        "answer next:x1=x2",
        "companion map lzalbany tell {} next {}",
    ),
    Situation(
        ALBANY, "log --follow --seat us", "Ask again: companion log --seat SEAT --since ACTION", ("log --seat us --since 0",)
    ),
    Situation(APRIL, "play --seat us", "Without it: companion play", ("play",), terminal=True),
    Situation(
        (*AMBUSH, "do orders", "answer ford --seat red"),
        "answer hill --seat red",
        "To answer anew: companion undo --reply --seat {}",
    ),
    Situation(  # this game has no adviser
        AMBUSH, "bot --seat red", "Decide without it; or, if you may see everything: companion bot", code=2
    ),
    Situation((*AMBUSH, "do scout"), "odds --seat blue", "Wait for the answer: companion status"),
    Situation((*ALBANY, "adjust flag:phase none"), "do next", "Begin one: companion new lzalbany"),
    Situation((*ALBANY, "adjust flag:phase over"), "do next", "If it is not: companion adjust flag:phase event"),
    Situation(
        FURY_SET, "adjust 'new:squad:4 5' 2-1 --why x", 'Move it: companion adjust "{} {}" PLACE', ("adjust 'Squad 4' 2-1",)
    ),
    Situation(
        (*FURY_SET, "do suspect 2-1"),
        "adjust 'Squad 4' 2-1 --why x",
        'Move that one first: companion adjust "{}@{}" "beside the map"',
        (),
    ),
    Situation(CARDS, "adjust 'Tight Alley' nowhere --why x", "See the places: companion show places"),
    Situation((*APRIL, "adjust ops 30", "undo"), "answer --at 2.1 x", "See: companion status"),
    Situation((*APRIL, "do battle"), "do isr", "Answer it: companion answer; or take the action back: companion undo"),
    Situation(
        (*APRIL, "do battle"),
        "answer --at 1.1 3",
        "Nothing of this is kept. If you mean that one: companion answer --at {} ...",
        (),
    ),
    Situation(
        ("new fallujahcards --replay fallujahcards/7/1", "simulate fallujahcards --games 2 --out games.db"),
        "stats --against games.db",
        "companion stats GAME --against FILE",
        ("stats fallujahcards --against games.db",),
    ),
    Situation(APRIL, "map fallujah2004 edit now", "Like this: companion map {} edit", lasting=_editor, terminal=True),
    Situation(
        APRIL,
        "map fallujah2004 edit",
        "Fill in a file instead: companion map {} export FILE, companion map {} import FILE",
        ("map fallujah2004 export m.txt", "map fallujah2004 import m.txt"),
    ),
    Situation(
        APRIL,
        "map fallujah2004 edit",
        "Name one: EDITOR=nano companion map {} edit. {}",
        ("map fallujah2004 edit", "map fallujah2004 export m.txt", "map fallujah2004 import m.txt"),
        lasting=_editor,
        passing=lambda patch: patch.setenv("VISUAL", "/no/editor"),
        terminal=True,
    ),
    Situation(
        APRIL,
        "map fallujah2004 edit",
        "Begin again: companion map {} edit",
        lasting=_editor,
        passing=lambda patch: patch.setenv("VISUAL", "truncate -s 0"),
        terminal=True,
    ),
    Situation((), "drill", "companion drill GAME; see: companion games", ("drill fallujahcards", "games")),
    Situation((), "rule", "Name a game; see: companion games"),
    Situation((), "drill fallujahcards --answer x", "See: companion drill {} --json"),
    Situation(
        ("new fallujahcards", "do turn --accept"),
        "drill fallujahcards --own",
        "Review a game: companion review. Those of the set: companion drill {} --shipped",
    ),
    Situation(TINY, "drill tiny", "Take another game: companion games"),
    Situation((), "play", "In a script: companion new GAME", ("new fallujahcards",)),
    Situation(CARDS, "play", "In a script: companion do ACTION", ("do turn",)),
    Situation(FURY, "play", "In a script: companion answer"),
    Situation(CARDS, "report", "Begin: companion do ACTION", ("do turn",)),
    Situation((*CARDS, "do turn"), "luck", "What its cards did: companion report"),
    Situation(CARDS, "luck", "Begin, and see what its cards did: companion do ACTION", ("do turn",)),
    Situation(TINY, "bot", "See: companion why"),
    Situation(
        (*TINY, "do search"),
        "amend 2.3 yes",
        "Set what is printed: companion printed GAME set KEY VALUE",
        ("printed tiny set strength:Red 3",),
    ),
    Situation(
        (*TINY, "do march Red", "adjust supply 5 mood high", "answer ford"),
        "amend 2.2 5",
        "Adjust what is still wrong: companion adjust WHAT VALUE",
        ("adjust supply 6",),
    ),
    Situation(
        (*TINY, "do fight Red strength:Red=2"), "do rest", "Answer it: companion answer; or take the action back: companion undo"
    ),
    # faults of the program, the disk and the archive
    Situation(
        TINY,
        "do rest",
        "What was done before it is saved: see companion status. "
        "Please report it{}, with: companion bundle FILE (COMPANION_DEBUG=1 shows more)",
        ("status", "bundle b.zip"),
        _broken_rest,
    ),
    Situation((*TINY, "do fight Blue"), "status --json", "Take the action back: companion undo", lasting=no_fight),
    Situation(TINY, "do rest --json", "See where play is: companion status", passing=_interrupted_rest),
    Situation(TINY, "do rest", "What was done is saved: before you do it again: companion status", passing=_full_stdout),
    Situation(TINY, "do rest", "See its current state: companion status", passing=_played_elsewhere),
    Situation((*TINY, "do fight Blue"), "do rest", "companion undo", lasting=_changed_fight),
    Situation((*TINY, "do fight Blue"), "do rest", "companion undo", lasting=no_fight),
    Situation(
        TINY,
        "status",
        "Install that game again: the session is kept. The others: companion sessions",
        lasting=lambda patch: patch.delitem(GAMES, "tiny"),
    ),
    Situation(CARDS, "status", "See: companion tables check {}", lasting=_broken_tables, code=4),
    Situation(
        CARDS,
        "status",
        "Check the disk; before you do it again see companion status: it may be kept",
        passing=lambda patch: patch.setattr("companion.session.database._limit_values", _failing_disk),
    ),
    Situation(
        CARDS, "doctor", "Make room there, or name another folder: TMPDIR=FOLDER companion doctor", passing=_full_temporary_folder
    ),
    Situation(CARDS, "status", "No value of Companion is: companion doctor", lasting=_large_value, code=4),
    Situation(CARDS, "watch", "Bring it up to date: companion sessions", passing=_older),
    Situation(
        CARDS, "status", "Rescue what can be read: companion doctor --repair FILE", ("doctor --repair x.db",), _damaged_log
    ),
    Situation(CARDS, "backup copy.db", "No copy is kept. See: companion doctor", lasting=_stray_row, code=4),
    Situation(
        CARDS,
        "note x",
        "Nothing of this command is kept. Rescue what can be read: companion doctor --repair FILE",
        ("doctor --repair x.db",),
        lasting=_endless_trigger,
    ),
    Situation(APRIL, "doctor", 'companion printed {} set "{}" VALUE', ("printed fallujah2004 set space:1-2 none",), _bad_fact),
    # counters and Zones that do not fit
    Situation(FURY_SET, "do suspect 3-1", 'companion adjust new:suspect "{}"', passing=_empty_suspects_cup),
    Situation(
        (*FURY_SET, "adjust new:element:1 14-C"),
        "do move 'Squad 1' recover",
        'If it lies with the squad: companion adjust "{}" "{}"',
    ),
    Situation(FURY_SET, "do move 'Squad 4' 2-1", 'If it is: companion adjust "{}" PLACE', ("adjust 'Squad 4' 2-1",)),
    Situation(FURY_SET, "do fire 'Squad 4'", 'If it is: companion adjust "{}" PLACE', ("adjust 'Squad 4' 2-1",)),
    Situation(
        (*FURY_SET, *(f"adjust {name}@{place} 'beside the map'" for name, place in ENEMIES)),
        "do fire 'Squad 1' --anyway",
        "If one is there: companion adjust new:suspect PLACE",
        ("adjust new:suspect 2-1",),
    ),
    Situation(
        (
            *FURY_SET,
            "adjust 'Squad 1' 'beside the map'",
            "adjust 'Squad 4' 2-1",
            "adjust new:suspect 2-C",
            "adjust new:suspect 2-2",
        ),
        "do assault 'Squad 4' \"2-2'\"",
        'If it is not: companion adjust new:suspect "{}"',
    ),
    Situation(
        FURY_JOLAN,
        "do mission mission=uav zones=14,15 'zone:14=C-1-2-R; door C' --accept",
        "What lies in it: companion adjust new:suspect {}-1",
        passing=_obsolete_zone,
    ),
    Situation(FURY_SET, "do assault 'Squad 1' --anyway", 'If one is there: companion adjust new:suspect "{}"'),
    Situation(
        FURY_JOLAN,
        "adjust fact:zone:59 'C-1-2-R; adjacent 60 61'",
        "If it is the other entry that is wrong: record this one anyway, then enter the other again",
        ("adjust fact:zone:59 'C-1-2-R; adjacent 60 61' --anyway", "adjust fact:zone:61 'C-1-2-R; adjacent 59 60'"),
    ),
    Situation(
        (*FURY_JOLAN, "do move"),  # with a question open too
        "adjust fact:zone:59 'C-1-2-R; adjacent 60 61'",
        "If it is the other entry that is wrong: record this one anyway, then enter the other again",
        ("adjust fact:zone:59 'C-1-2-R; adjacent 60 61' --anyway", "adjust fact:zone:61 'C-1-2-R; adjacent 59 60'"),
    ),
    Situation(
        (*FURY_JOLAN, "adjust 'Squad 4' 23-1"),
        "adjust fact:zone:23 'C R'",
        'companion adjust "{}@{}" PLACE',
        ("adjust 'Squad 4@23-1' 23-C",),
    ),
    Situation(
        (*RAIL, "map iraqwar2003 tell 'rail 3135 3034'"),
        "do rail 'iraq 9A 3-4-4/2-2-4 big @3135' 2432",
        'Name a hex on it, or enter what is missing: companion map iraqwar2003 tell "rail {} {}"',
    ),
    Situation(
        ("printed iraqwar2003 import practice", "printed iraqwar2003 set palace:dummy 5"),
        "new iraqwar2003 --option palace=on",
        "Enter them again: companion printed iraqwar2003 set palace:dummy {}",
    ),
    Situation(
        ("new fallujahcards --replay fallujahcards/7/1",),
        "do turn",
        "If your deck is not: companion adjust CARD deck",
        ("adjust 'Tight Alley@casualty' deck", "do turn"),
    ),
    Situation(
        (*APRIL, "adjust 3/1 2-3", "do j3"),
        "adjust 3/1 eliminated",
        "Take back its last answer or all of it, adjust and go on: companion undo --reply, companion undo",
    ),
    Situation(
        (*APRIL, "adjust 3/1 2-3", "do j3"),
        "adjust 3/1 recruit",
        "Take back its last answer or all of it, adjust and go on: companion undo --reply, companion undo",
    ),
    Situation(APRIL, "map fallujah2004 1-2", 'Enter it like this: companion map {} tell "{}"'),
    Situation(IRAQ_SET, "map iraqwar2003 9999", 'Enter it like this: companion map {} tell "{}"'),
    Situation(ALBANY, "map lzalbany z9", 'Enter it like this: companion map {} tell "{}"'),
    Situation(
        ALBANY,
        "adjust 1/A/2-7 b3",
        "See: companion show. Where your map has it, put this in front: flag:{}{} yes",
        ("show", "adjust flag:named:b3 yes 1/A/2-7 b3"),
    ),
    Situation(TINY, "map tiny", "See what lies where: companion show places", lasting=_no_map),
    Situation(
        (*CARDS, "bundle x.json"),
        "stats fallujahcards --against x.json",
        "companion simulate {} --out FILE.db",
        ("simulate fallujahcards --out x.db",),
        lasting=_few_games,
    ),
    Situation(
        (),
        "completions bash --install",
        "Put it where your shell reads it: companion completions {} > FILE",
        ("completions bash",),
        passing=_no_folder,
    ),
    Situation(
        ALBANY, f"share {'ab' * 32} --at 1.1", "Begin one: companion new GAME --dice trusted", ("new lzalbany --dice trusted",)
    ),
    Situation(ALBANY, "verify", "Begin one: companion new {} --dice trusted"),
    Situation(TRUSTED, "consent yes", "See: companion status"),
    Situation(
        (),
        "answer 6",
        "They come by themselves once the other seat has sent its share. See: companion status",
        ("status",),
        passing=at_trusted_roll,
    ),
    Situation((), "undo", "Allow it: companion consent yes", ("consent yes",), passing=at_trusted_roll),
)
