"""Cures named in messages, typed in the situation of their message: a table of situations."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.test_cures import commands_of, pattern_of
from tests.support.commands import companion as run

APRIL = ("printed fallujah2004 import practice", "new fallujah2004 --scenario vigilant_resolve --name april --seed 7")
CARDS = ("new fallujahcards --seed 7",)
FURY = ("new phantomfury --seed 7",)
"""A session that asks the questions of its set-up."""
IRAQ = ("new iraqwar2003 --seed 7",)


class Situation(NamedTuple):
    """What leads there, the line that is refused, the cure as the package writes it, and what is then typed."""

    begun: tuple[str, ...]
    wrong: str
    cure: str
    typed: tuple[str, ...]


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
    Situation(APRIL, "map fallujah2004 tell", 'Like this: companion map {} tell "{}"', ()),
    Situation(("printed lzalbany import practice",), "map lzalbany tell", 'Like this: companion map {} tell "{}"', ()),
    Situation(("printed iraqwar2003 import practice",), "map iraqwar2003 tell", 'Like this: companion map {} tell "{}"', ()),
    Situation(("printed phantomfury import practice",), "map phantomfury tell", 'Like this: companion map {} tell "{}"', ()),
    Situation((), "map fallujah2004 tell", 'Like this: companion map {} tell "{}"', ()),
    Situation(FURY, "do fire", "Answer it: companion answer; or begin again: companion new {}", ()),
    Situation((*CARDS, "do turn"), "luck", "What its cards did: companion report", ()),
    Situation((*APRIL, "adjust ops 30 --why x", "undo"), "amend 2.1 40", "See: companion log --undone", ()),
    Situation((*CARDS, "bundle b.zip"), "bundle --restore", "companion bundle --restore FILE", ("bundle --restore b.zip",)),
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
    Situation(APRIL, "adjust 'USMC 3/1' 'reaction cup' --why x", "See: companion show cups", ()),
    Situation(CARDS, "stats fallujahcards --against none.db", "Write one: companion simulate {} --out FILE.db", ()),
    Situation((), "new lzalbany --replay fallujahcards/7/1", "companion new --replay {}", ()),
)


def _allows(command: str, line: str) -> bool:
    """True if a line is the command, with anything in place of its words in capitals."""
    words = [".+" if re.fullmatch(r"[A-Z=]{3,}", word) else re.escape(word) for word in command.split()]
    return re.fullmatch(" ".join(words), line) is not None


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.wrong)
def test_a_cure_is_accepted_where_its_message_is_shown(
    situation: Situation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All commands of the cure exit with 0, or with 3 where they ask a question."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_DB", str(tmp_path / "archive"))
    for line in situation.begun:
        assert run(*shlex.split(line)).code in (0, 3), line
    failed = run(*shlex.split(situation.wrong))
    shown = pattern_of(situation.cure).search(" ".join(failed.err.split()))
    assert failed.code and shown, failed.err
    commands = commands_of(shown[0])
    lines = situation.typed or tuple(commands)
    assert len(lines) == len(commands) and all(map(_allows, commands, lines)), (commands, lines)
    for line in lines:
        done = run(*shlex.split(line))
        assert done.code in (0, 3), (line, done.err)
