"""Makes the old games that later versions must go on with: run by hand, with the Companion of that day installed.

    python -m tests.archives.make NAME

For each game three sessions, each as an archive and as a bundle, and beside them what the program of that day believes of
them: ``question`` stands at a question, ``middle`` in the middle of a game in which much was put right, ``over`` at the end
of a whole game. All of it goes through the command line's contract, so that this script works with any version.
"""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.support.commands import companion, run_script

HERE = Path(__file__).parent
SCRIPTS = HERE.parent / "games"
ENTRIES = 20
TRIES = 60
PENDING = 3

Json = dict[str, Any]


class Played(NamedTuple):
    """How a game is begun, played and ended.

    Attributes:
        new: words after ``new``.
        script: of a whole game.
        facts: a file of them beside the script, or a practice set of the game.
        flags: what a session in the middle has set.
        adjust: a track, and the value that it is put right to.
        until: a line of the script; a session that has more than a set-up before it begins with the script up to there.
        rare: actions that are only described and have nothing to do with the game that is played.
    """

    new: tuple[str, ...]
    script: str
    facts: str = ""
    flags: tuple[str, ...] = ()
    adjust: tuple[str, str] = ("turn", "2")
    until: str = ""
    rare: tuple[str, ...] = ()


GAMES = {
    "fallujah2004": Played(
        *(("--scenario", "phantom_fury"), "vigilant_resolve", "practice", ("battle",), ("kia", "7")), rare=("battle",)
    ),
    "phantomfury": Played(
        *(("--scenario", "practice"), "corner", "", ("moved", "assaulted", "start"), ("vp", "3")), rare=("clash", "look", "zone")
    ),
    "fallujahcards": Played((), "patrol", adjust=("turn", "9")),
    "iraqwar2003": Played(
        *((), "three_turns", "made_up_set", ("phase", "side"), ("cp", "2")),
        "# Turn 2,",
        ("battle", "cost", "stack", "loss", "units", "control"),
    ),
    "lzalbany": Played(
        *((), "ten_turns", "practice", ("phase",), ("flares", "5")), "# Turn 4:", ("strength", "firefight", "brawl", "arrange")
    ),
}


class Stuck(Exception):
    """This seed leads nowhere; another may."""


def said(*argv: str, codes: tuple[int, ...] = (0, 3)) -> Json:
    """A command's document; Stuck where it is refused."""
    result = companion(*argv, "--json")
    if result.code not in codes:
        raise Stuck(f"{argv}: {result.code} {result.err}")
    document: Json = result.json
    return document


def reply(pending: Json, dice: Random) -> str:
    """Some answer to a question, in the words of the command line."""
    choices, kind = [one["value"] for one in pending["choices"]], pending["kind"]
    if kind == "number":
        return str(dice.randint(pending["low"], min(pending["high"], pending["low"] + 4)))
    if kind == "confirm":
        return dice.choice(("yes", "no"))
    if kind == "pick":
        most = min(pending["high"], len(choices), pending["low"] + 2)
        return ", ".join(dice.sample(choices, dice.randint(min(pending["low"], most), most))) or "none"
    if kind in ("choose", "text") and choices and dice.random() < 0.9:
        return str(dice.choice(choices))
    if kind == "roll":
        return " ".join(str(dice.randrange(pending["sides"]) + pending["lowest"]) for _ in range(pending["count"]))
    if kind == "draw":
        return dice.choice([one["value"] for one in pending["choices"] for _ in range(one["many"])])
    return str(pending.get("suggest") or pending.get("example") or "")


def refused(words: list[str], dice: Random) -> Json | None:
    """A command's document, after a question of it is refused once and again; None where nothing came of it."""
    result = companion(*words, "--json")
    return result.json if result.code in (0, 3) else None


def act(action: str, dice: Random, stop: Callable[[Json], bool] = lambda _: False) -> Json | None:
    """Plays an action to its end, or until ``stop`` says so of a question; None where it was given up and taken back."""
    document = refused(["do", action], dice)
    bad = 0
    while document is not None and document.get("pending"):
        pending = document["pending"]
        if stop(document):
            return document
        answered = refused(["answer", f"{pending['key']}={reply(pending, dice)}"], dice)
        bad += answered is None
        document = answered or document
        if bad > 12:
            companion("undo", "1")
            return None
    return document


def begin(game: str, name: str, seed: str, dice: Random, folder: Path) -> Json:
    played = GAMES[game]
    if played.until:
        by_script(game, folder, played.until)
        return said("status")
    if played.facts:
        own = SCRIPTS / game / "scripts" / f"{played.facts}.toml"
        said("printed", game, "import", os.fspath(own) if own.exists() else played.facts)
    document = said("new", game, *played.new, "--seed", seed, "--name", name)
    while document.get("pending"):
        document = said("answer", f"{document['pending']['key']}={reply(document['pending'], dice)}")
    return document


def entries() -> list[Json]:
    return [one for one in said("log")["entries"] if one["status"] == "in force"]


def actions_of(game: str, dice: Random) -> list[str]:
    """The actions to choose from: those that are only described once in a while."""
    rare = GAMES[game].rare if dice.random() < 0.8 else ()
    return [one["id"] for one in said("games", game)["actions"] if one["id"] not in rare]


def played_on(game: str, dice: Random, enough: Callable[[Json], bool]) -> Json:
    """Random actions until it is enough."""
    actions = actions_of(game, dice)
    for _ in range(400):
        document = act(dice.choice(actions), dice)
        if document is not None and document.get("over"):
            raise Stuck("over")
        if document is not None and enough(document):
            return document
    raise Stuck("never enough")


def other(value: Any, kind: str) -> str:
    """Another reply than this one, typed."""
    if kind == "roll":
        faces = [face % 6 + 1 for face in value]
        return " ".join(str(face) for face in faces)
    return {True: "no", False: "yes"}[value]


def amended() -> str:
    """Amends a late reply; its number in the log."""
    for entry in reversed(entries()):
        for number, one in enumerate(entry["replies"], 1):
            if one["kind"] == "roll" and companion("amend", f"{entry['entry']}.{number}", other(one["value"], "roll")).code == 0:
                return f"{entry['entry']}.{number}"
    raise Stuck("nothing to amend")


def middle(game: str, dice: Random) -> None:
    """Twenty entries and more with an undo, a redo, an adjustment, an amended reply and a note among them."""
    wanted = GAMES[game].flags

    def half(_: Json) -> bool:
        return len(entries()) > ENTRIES // 2

    def enough(document: Json) -> bool:
        return len(entries()) > ENTRIES and all(flag in document["position"]["flags"] for flag in wanted)

    played_on(game, dice, half)
    said("undo", "3")
    said("redo")
    said("undo", "1")
    played_on(game, dice, lambda _: True)
    said("adjust", *GAMES[game].adjust, "--why", "it lies there on the table")
    said("note", "a pause for tea")
    if game != "fallujahcards":
        amended()
    played_on(game, dice, enough)


def question(game: str, dice: Random) -> None:
    """A question in the middle of an action, after answers that were given by hand."""
    said_before = 0

    def deep(document: Json) -> bool:
        nonlocal said_before
        said_before += 1
        return said_before >= (2 if game == "fallujahcards" else PENDING)

    actions = [one["id"] for one in said("games", game)["actions"] if one["id"] not in GAMES[game].rare]
    played_on(game, dice, lambda _: len(entries()) > ENTRIES // 3)
    for _ in range(200):
        said_before = 0
        document = act(dice.choice(actions), dice, deep)
        if document is not None and document.get("pending"):
            said("adjust", *GAMES[game].adjust, "--why", "seen while it was asked")
            return
    raise Stuck("no question")


def by_script(game: str, folder: Path, until: str = "") -> None:
    """A whole game by its script, or the beginning of it."""
    path = folder / f"{GAMES[game].script}.txt"
    scripts = SCRIPTS / game / "scripts"
    text = (scripts / path.name).read_text().replace("SCRIPTS", os.fspath(scripts))
    assert until in text, until
    path.write_text(text.partition(until)[0] if until else text)
    run_script(path, folder)


TRUSTED_GAME = "lzalbany"
"""The game of the session with trusted dice, in which each step of them occurs."""


def trusted(folder: Path) -> Path:
    """Rolls and draws of both seats, a correction that was asked for and allowed, and a roll that waits."""
    path, dice = fresh(folder, f"{TRUSTED_GAME}-trusted"), Random("trusted")
    document = said("new", TRUSTED_GAME, "--option", "map=practice", "--dice", "trusted", "--name", "trusted")
    rolls = 0
    while rolls < 12 or not (document.get("pending") or {}).get("waits_for"):
        pending = document.get("pending")
        if pending and pending["waits_for"]:
            document, rolls = said("share", dice.randbytes(32).hex()), rolls + 1
        elif pending:
            document = refused(["answer", f"{pending['key']}={reply(pending, dice)}"], dice) or document
        else:
            document = refused(["do", dice.choice(actions_of(TRUSTED_GAME, dice))], dice) or document
        if rolls == 8 and companion("undo", "1").code == 3:
            document, rolls = said("consent", "yes", "--seat", "nva"), rolls + 1
    return path


def finished(game: str, folder: Path) -> None:
    by_script(game, folder)
    assert said("status")["over"], game


def tidy(position: Json) -> Json:
    """A position as plain data that is easy to compare: pieces by place, with name, face, printed values and marks."""
    places = {
        place: [[one["name"], one["kind"], one["face"], one.get("values", {}), one.get("marks", {})] for one in pieces]
        for place, pieces in position["places"].items()
    }
    return {"tracks": position["tracks"], "flags": position["flags"], "places": places}


def believed() -> Json:
    """What the program believes of the session, and after some entries are taken back and brought again."""
    status = said("status")
    head = status["position"]
    pending = status.get("pending")
    undone, back = head, 0 if status["dice"] == "trusted" else min(3, len(entries()) - 1)
    if back:
        undone = said("undo", str(back))["position"]
        assert said("redo")["position"] == head
    return {
        "game": status["game"],
        "options": status["options"],
        "entry": status["entry"],
        "entries": len(said("log")["entries"]),
        "over": bool(status.get("over")),
        "pending": {key: pending[key] for key in ("kind", "key", "rule")} if pending else None,
        "head": tidy(head),
        "back": back,
        "undone": tidy(undone),
    }


def fresh(folder: Path, name: str) -> Path:
    path = folder / f"{name}.sqlite3"
    for old in folder.glob(f"{name}.sqlite3*"):
        old.unlink()
    os.environ["COMPANION_DB"] = os.fspath(path)
    return path


def seeded(game: str, kind: str, make: Callable[[str, Random], None], folder: Path) -> Path:
    """The session of the first seed that leads somewhere."""
    for seed in range(TRIES):
        path = fresh(folder, f"{game}-{kind}")
        dice = Random(f"{game}/{kind}/{seed}")
        try:
            begin(game, kind, f"{game}{seed}", dice, folder)
            make(game, dice)
        except Stuck as fault:
            sys.stderr.write(f"{game} {kind} {seed}: {str(fault)[:160]}\n")
            continue
        return path
    raise AssertionError(f"no seed of {game} for {kind}")


def keep(path: Path, out: Path) -> None:
    """The archive, small, and what is believed of it; the bundle first, since to look is to write."""
    stem = out / path.stem
    bundle = path.with_suffix(".json")
    bundle.unlink(missing_ok=True)
    assert companion("bundle", os.fspath(bundle)).code == 0
    companion("luck", "--seconds", "1")  # for rows of the table analysis; refused in a game without dice
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("VACUUM")
    connection.close()
    packed(stem.with_suffix(".sqlite3.gz"), path.read_bytes())
    packed(stem.with_suffix(".bundle.json.gz"), bundle.read_bytes())
    packed(stem.with_suffix(".expected.json.gz"), json.dumps(believed(), separators=(",", ":"), sort_keys=True).encode())


def packed(path: Path, content: bytes) -> None:
    path.write_bytes(gzip.compress(content, 9, mtime=0))


MAKERS: Mapping[str, Callable[[str, Random], None]] = {"question": question, "middle": middle}


def main() -> None:
    out = HERE / sys.argv[1]
    out.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["COMPANION_CACHE"] = os.fspath(folder / "cache")
        for game in sys.argv[2:] or GAMES:
            for kind, make in MAKERS.items():
                keep(seeded(game, kind, make, folder), out)
            path = fresh(folder, f"{game}-over")
            finished(game, folder)
            keep(path, out)
            if game == TRUSTED_GAME:
                keep(trusted(folder), out)


if __name__ == "__main__":
    main()
