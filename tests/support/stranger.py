"""A client of a server that does whatever comes to its mind: it plays, looks, corrects, and talks nonsense."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from companion.session.facts import practice_defaults
from companion.session.state import load_game
from tests.support.served import Client

LOOKS = (
    *("status", "status --brief", "log --last 3", "log --undone --last 2", "why", "show", "show score", "show tracks", "audit"),
    *("show cups", "show flags", "show facts", "show options", "show rulings", "show pieces", "sessions", "games", "summary"),
    *("map GAME", "printed GAME", "games GAME", "chart GAME", "rule GAME 1", "roll 2d6", "odds", "--version", "config", "schema"),
    *("luck", "stats", "report --brief", "bundle", "watch", "help", "tables check GAME", "completions zsh", "help protocol"),
)
DEEDS = (
    *("undo", "undo 2", "undo --reply", "redo", "redo", "note some words", "branch", "use made", "undo --to 1", "amend 2.1 3"),
    *("adjust nothing 3 --why x", "audit nothing=2", "do nothing", "answer nothing", "answer --at 1.1 x", "answer --accept"),
)
PATIENCE = 8
"""Refusals in a row, as of printed facts that were told at random and do not go together, after which another game is begun."""
NONSENSE = (
    "",
    "x",
    "-1",
    "none",
    "999",
    "1,2,3",
    "a=b",
    "=",
    "\\",
    "\u202e",
    "1.1",
    "--",
    "yes",
    "ä" * 300,
    "[16.7]",
    "..",
    "0",
    "?",
)


class Stranger:
    """Calls a server at random.

    Args:
        client: of the server; it holds every document against the schema.
        game: what is played.
        archive: where.
        seed: of all that is done.
    """

    def __init__(self, client: Client, game: str, archive: str, seed: int) -> None:
        self.client = client
        self.game = game
        self.archive = archive
        self.chance = random.Random(f"{game}/{seed}")
        self.number = self.refused = 0
        self.now: dict[str, Any] = {}
        self.kinds: dict[str, int] = {}
        self.begin()

    def begin(self) -> None:
        """A new game, in which the stranger rolls now and then. Only where the made-up set is laid out does an opponent think: a
        thought takes as long as a hundred calls.
        """
        self.number, self.refused = self.number + 1, 0
        if self.number == 1:
            laid_out = self.client.ask(do="practice", game=self.game, seed=self.number, db=self.archive)
            assert "error" not in laid_out, laid_out
        scenario, options = practice_defaults(load_game(self.game), {})
        chosen = {"scenario": scenario} if scenario else {}
        self.now = self.client.ask(
            do="new", game=self.game, **chosen, options=options, seed=self.number, think=0, db=self.archive
        )
        assert "error" not in self.now, self.now

    def call(self) -> None:
        """One call of any kind."""
        ways: list[tuple[Callable[[], Any], int]] = [(self.play, 60), (self.look, 14), (self.deed, 12), (self.nonsense, 14)]
        (way,) = self.chance.choices([way for way, _ in ways], [weight for _, weight in ways])
        answer = way()
        kind = answer["error"]["kind"] if "error" in answer else "done"
        assert kind != "fault", answer
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if "legal" in answer:
            self.now = answer
        elif kind in ("stale", "pending", "missing", "stuck"):
            self.now = self.client.ask(do="status", db=self.archive)

    def play(self) -> Any:
        """The open question is answered, or an action is begun; at the end, or where nothing goes on, another game is."""
        asked, free = self.now["pending"], [way["action"] for way in self.now["legal"] if way["possible"]]
        over = self.now["over"] and not asked and self.chance.random() < 0.3
        if over or not (asked or free) or self.refused > PATIENCE:
            self.begin()
            return self.now
        brief = {"brief": True} if self.chance.random() < 0.7 else {}
        if asked:
            answer = self.client.ask(do="answer", at=asked["at"], db=self.archive, **self.said(asked), **brief)
        else:
            answer = self.client.ask(do="begin", action=self.chance.choice(free), db=self.archive, **brief)
        self.refused = self.refused + 1 if "error" in answer else 0
        return answer

    def said(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Mostly what is suggested, else something that is offered."""
        if self.chance.random() < 0.6 and (asked["kind"] in ("roll", "draw") or asked["suggest"] is not None):
            return {"accept": True}
        offered = [choice["value"] for choice in asked["choices"]]
        if asked["kind"] == "roll":
            faces = range(asked["lowest"], asked["lowest"] + asked["sides"])
            return {"dice": [self.chance.choice(faces) for _ in range(asked["count"])]}
        if asked["kind"] == "number":
            return {"value": self.chance.randint(asked["low"], asked["high"])}
        if asked["kind"] == "pick":
            return {"value": self.chance.sample(offered, self.chance.randint(asked["low"], min(asked["high"], len(offered))))}
        return {"key": asked["key"], "value": self.chance.choice(offered) if offered else asked.get("example", "x")}

    def look(self) -> Any:
        """A look at something; most of them a command line."""
        words = self.chance.choice(LOOKS).replace("GAME", self.game).split()
        named = not {words[0]} & {"--version", "config", "schema", "help", "tables", "completions", "roll", "rule", "chart"}
        return self.client(*words, *(["--db", self.archive] if named else []))

    def deed(self) -> Any:
        """Something that is taken back, brought back, noted, or wrong."""
        return self.client(*self.chance.choice(DEEDS).split(), "--db", self.archive)

    def nonsense(self) -> Any:
        """A request that has something wrong with it, most of the time."""
        word = self.chance.choice
        if self.chance.random() < 0.5:
            fields = {"do": word(["begin", "answer", "undo", "log", "odds", "new", "note", "legal", "follow", "dance"])}
            fields |= {word(["at", "value", "values", "dice", "count", "to", "reply", "action", "last", "key"]): word(NONSENSE)}
            fields |= {word(["accept", "brief", "draw", "session", "text", "game"]): word([True, 3, None, [], {}, ["x"], "x"])}
            return self.client.ask(**fields, db=self.archive)
        if self.chance.random() < 0.6:
            first = word(
                ["do", "answer", "show", "why", "map", "rule", "chart", "printed", "amend", "adjust", "audit", "undo", "log"]
            )
            return self.client(first, *(word(NONSENSE) for _ in range(self.chance.randrange(3))), "--db", self.archive)
        line = bytearray(json.dumps({"id": 1, "argv": ["status", "--db", self.archive]}).encode())
        for _ in range(3):
            line[self.chance.randrange(len(line))] = self.chance.randrange(33, 255)
        return self.client.line(bytes(line))
