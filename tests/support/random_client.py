"""A client that calls a server at random: it plays, reads, corrects and sends malformed requests."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from companion.session.facts import practice_defaults
from companion.session.state import load_game
from tests.support.served import Client

READING = (
    *("status", "status --brief", "log --last 3", "log --undone --last 2", "why", "show", "show score", "show tracks", "audit"),
    *("show cups", "show flags", "show facts", "show options", "show rulings", "show pieces", "sessions", "games", "summary"),
    *("map GAME", "printed GAME", "games GAME", "chart GAME", "rule GAME 1", "roll 2d6", "odds", "--version", "config", "schema"),
    *("luck", "stats", "report --brief", "bundle", "watch", "help", "tables check GAME", "completions zsh", "help protocol"),
)
CORRECTIONS = (
    *("undo", "undo 2", "undo --reply", "redo", "redo", "note some words", "branch", "use made", "undo --to 1", "amend 2.1 3"),
    *("adjust nothing 3 --why x", "audit nothing=2", "do nothing", "answer nothing", "answer --at 1.1 x", "answer --accept"),
)
PATIENCE = 8
"""Refusals in a row after which another game is begun: random printed facts can contradict each other."""
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


class RandomClient:
    """Calls a server at random.

    Args:
        client: The connection to the server; it checks every document against the schema.
        game: The id of the game.
        archive: The path of the archive.
        seed: The seed of all choices.
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
        """Begin a new game. Opponents play without rollouts, which would take as long as a hundred calls."""
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
        """Make one call of any kind."""
        ways: list[tuple[Callable[[], Any], int]] = [(self.play, 60), (self.read, 14), (self.correct, 12), (self.nonsense, 14)]
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
        """Answer the open question or begin an action; begin another game if this one is over or stuck."""
        question, free = self.now["pending"], [way["action"] for way in self.now["legal"] if way["possible"]]
        over = self.now["over"] and not question and self.chance.random() < 0.3
        if over or not (question or free) or self.refused > PATIENCE:
            self.begin()
            return self.now
        brief = {"brief": True} if self.chance.random() < 0.7 else {}
        if question:
            answer = self.client.ask(do="answer", at=question["at"], db=self.archive, **self.reply_fields(question), **brief)
        else:
            answer = self.client.ask(do="begin", action=self.chance.choice(free), db=self.archive, **brief)
        self.refused = self.refused + 1 if "error" in answer else 0
        return answer

    def reply_fields(self, question: dict[str, Any]) -> dict[str, Any]:
        """The fields of a reply: mostly the suggestion, else an offered answer."""
        if self.chance.random() < 0.6 and (question["kind"] in ("roll", "draw") or question["suggest"] is not None):
            return {"accept": True}
        offered = [choice["value"] for choice in question["choices"]]
        if question["kind"] == "roll":
            faces = range(question["lowest"], question["lowest"] + question["sides"])
            return {"dice": [self.chance.choice(faces) for _ in range(question["count"])]}
        if question["kind"] == "number":
            return {"value": self.chance.randint(question["low"], question["high"])}
        if question["kind"] == "pick":
            return {
                "value": self.chance.sample(offered, self.chance.randint(question["low"], min(question["high"], len(offered))))
            }
        return {"key": question["key"], "value": self.chance.choice(offered) if offered else question.get("example", "x")}

    def read(self) -> Any:
        """Run a command that only reads."""
        words = self.chance.choice(READING).replace("GAME", self.game).split()
        named = not {words[0]} & {"--version", "config", "schema", "help", "tables", "completions", "roll", "rule", "chart"}
        return self.client(*words, *(["--db", self.archive] if named else []))

    def correct(self) -> Any:
        """Run a command that undoes, redoes, notes or adjusts, or that is wrong."""
        return self.client(*self.chance.choice(CORRECTIONS).split(), "--db", self.archive)

    def nonsense(self) -> Any:
        """Send a request that is usually malformed."""
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
