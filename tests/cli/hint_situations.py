"""Situations in which a line that is no error names a command, for `test_cures_in_place`."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from tests.cli.cure_situations import (
    ALBANY,
    APRIL,
    CARDS,
    DUEL,
    FURY_JOLAN,
    FURY_SET,
    TINY,
    Situation,
    at_trusted_roll,
    no_fight,
    raw,
)

ROLL_WAITS = (*DUEL, "do deploy --accept", "do next --accept")
REPLAYED = ("new fallujahcards --replay fallujahcards/7/1",)


def older_archive(patch: pytest.MonkeyPatch) -> None:
    """Put an archive of an older version in place."""
    packed = Path(__file__).parents[1] / "archives/schema-7/fallujah2004-middle.sqlite3.gz"
    Path(os.environ["COMPANION_DB"]).write_bytes(gzip.decompress(packed.read_bytes()))


HINTS = (
    Situation(ALBANY, "play --seat us", "companion play --seat {}", terminal=True),
    Situation((*TINY, "do fight Blue", "answer no"), "luck", "Each roll and the statistics: companion luck --details"),
    Situation((), "drill fallujahcards --count 1", "Answer it with: companion drill {} --answer {}={}"),
    Situation((), "drill fallujahcards --stats", "{}: nothing was answered yet. Begin: companion drill {}"),
    Situation(
        (*CARDS, "practice fallujahcards"),
        "stats fallujahcards",
        "Your practice games are not counted here: companion stats --practice",
    ),
    Situation(APRIL, "doctor --repair x.db", "To use it: companion --db {}"),
    Situation(APRIL, "backup copy.db", "{}. To use it: companion --db {}"),
    Situation(
        CARDS,
        "sessions",
        "{}. Rescue what can be read: companion doctor --repair FILE",
        ("doctor --repair x.db",),
        lambda patch: raw("UPDATE sessions SET options = 'x'"),
    ),
    Situation(
        ROLL_WAITS,
        "status",
        "It comes from that player's page, or by mail: companion bundle FILE (question {})",
        ("bundle mail.json",),
    ),
    Situation(
        (*ROLL_WAITS, "bundle mail.json"),
        "bundle --restore mail.json",
        "Question {} waits for {}: companion bundle FILE, and send it",
        ("bundle back.json",),
    ),
    Situation(
        (*CARDS, "bundle old.json", "note one"),
        "bundle --restore old.json",
        "Look at it apart: companion bundle --restore FILE --db other.sqlite3",
        ("bundle --restore old.json --db other.sqlite3",),
    ),
    Situation((), "config", "Change one: companion config theme light. Kept in {}"),
    Situation(
        ("printed fallujah2004 import practice",), "sessions", "No session yet: companion new GAME", ("new fallujahcards",)
    ),
    Situation(APRIL, "branch copy", "In use: {}, a copy of {}. Back: companion use {}"),
    Situation(APRIL, "audit", "Different? companion audit WHAT=VALUE ...", ("audit ops=30",)),
    Situation((), "help", "One of them, by its first letters: companion help TOPIC", ("help table",)),
    Situation((), "games", "More of one: companion games GAME", ("games fallujah2004",)),
    Situation(
        APRIL,
        "map fallujah2004 export m.txt --format svg",
        "showing the map: companion map GAME [PLACE]",
        ("map fallujah2004 3-6",),
    ),
    Situation((), "chart --help", "A game, by unique prefix; see: companion games"),
    Situation((), "new --help", "See: companion games GAME", ("games fallujah2004",)),
    Situation((), "do --help", "An action, by unique prefix; see: companion games GAME", ("games fallujah2004",)),
    Situation((), "odds --help", "A situation; see: companion games GAME", ("games fallujah2004",)),
    Situation((), "game --help", "Write it to the folder for your own games (companion games --path), playable at once."),
    Situation((), "help luck", "Its options: companion {} --help"),
    Situation(APRIL, "adjust ops 0 --why x", "No OPs are left, which ends the game: companion do end"),
    Situation(
        (),
        "new fallujah2004 --seed 7",
        "The roster of Coalition units is our sample. Enter your own: companion printed fallujah2004",
    ),
    Situation(APRIL, "adjust 3/1 3-6 --why x", '{}companion adjust "{}" {}'),
    Situation(
        (), "new lzalbany --seed 7 --accept", "You are playing with our sample values. Enter your own: companion printed {}"
    ),
    Situation((*APRIL, "do battle"), "status", "Go on with: companion answer{} {} (question {})", ("answer contact=1",)),
    Situation(APRIL, "adjust new: 3-4 --why x", "companion adjust {} {}"),
    Situation(APRIL, "adjust zzz 1 --why x", "See: companion show"),
    Situation(REPLAYED, "summary", "what was done; and why: companion why N", ("why 2",)),
    Situation(FURY_JOLAN, "adjust activate 40 --why x", "Its two Suspects, as they lie: companion adjust suspect {}-1"),
    Situation((*FURY_SET, "adjust 'Squad 4' 2-1"), "adjust 'Squad 7' 2-1 --why x", "{}{}. If it does not lie so: companion undo"),
    Situation(("new fallujahcards --replay fallujahcards/7/1",), "summary", "companion log", ("log",)),
    Situation(REPLAYED, "stats", "Scenarios, options, scores and tests: companion stats --details"),
    Situation(("game new harbour --folder",), "game new wharf --folder", "companion games {} --check"),
    Situation((), "game new harbour --folder", "companion new {}"),
    Situation((), "game new harbour --folder", "companion help a-game-of-your-own"),
    Situation(
        ("printed fallujah2004 import practice", "map fallujah2004 export m.txt"),
        "--db other.db map fallujah2004 import m.txt",
        "and {} more: companion map {}",
    ),
    Situation(
        (*APRIL, "printed fallujah2004 set space:2-2 'mosque Blue' --anyway", "new fallujah2004 --name may"),
        "why",
        "enter a space again: companion printed fallujah2004",
    ),
    Situation(
        FURY_JOLAN,
        'printed phantomfury set zone:60 "C-1-1\'-2; adjacent 61" --anyway',
        '{}; there: companion adjust "{}" "{}"{} --why TEXT{}',
    ),
    Situation(REPLAYED, "why", "{} The bot with the same cards, and what cost most: companion bot"),
    Situation(REPLAYED, "summary", "companion bot"),
    Situation(REPLAYED, "summary", "companion report > FILE"),
    Situation((*TINY, "do stop"), "summary", "companion review"),
    Situation(
        (*TINY, "do rest"),
        "review",
        "All of it: companion review --details; a page to click through: companion review --out review.html",
    ),
    Situation((*TINY, "do rest"), "review --details", "A page to click through: companion review --out review.html"),
    Situation((*TINY, "do rest", "adjust supply 3 --why x"), "review", "{} not reviewed: companion review --details"),
    Situation(
        ("new lzalbany --seed 7", "map lzalbany tell 'd2 jungle; start us1'", "map lzalbany tell 'e5 jungle'", "do deploy"),
        "answer '1/A/2-7 2/A/2-7 3/A/2-7 co/A/2-7 > d2; 4/A/2-7 mtr/A/2-7 > e5'",
        "; if it has one: companion map lzalbany tell {} start {}",
    ),
    Situation(
        FURY_SET,
        "adjust G1/M1 2-1 --why x",
        'Name one of them in full, like this: companion adjust "{}" PLACE',
        ("adjust G1/M1@2-R 2-1",),
    ),
    Situation(FURY_SET, "adjust 'Squad 4' ammo --why x", ". Like this: companion adjust {} {}"),
    Situation((*TINY, "do fight Blue"), "doctor", "companion undo --session {}", lasting=no_fight),
    Situation(
        (),
        "doctor",
        "It is brought up to date when it is next used; a copy before: companion backup FILE",
        ("backup copy.db",),
        passing=older_archive,
    ),
    Situation((), "status", "Allow or refuse it: companion consent yes (or no)", ("consent yes",), passing=at_trusted_roll),
)
