"""A screen for every game: it knows the documents of the server, and takes all words from the vocabulary of the game.

    python screen.py SESSION [ARCHIVE]

Type the id of an action or an answer; nothing: what Companion advises or suggests; ``undo``: the last answer is asked again.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

Document = dict[str, Any]


class Screen:
    """Shows where a session is, and plays on. ``ask`` sends a request to the server; ``where`` names session and archive."""

    def __init__(self, ask: Callable[..., Document], **where: str) -> None:
        self.ask, self.where = ask, where
        self.now = ask(do="status", **where)
        self.words = ask(do="games", game=self.now["game"])["vocabulary"]

    def title(self, what: str, name: str) -> str:
        """What an id is called; the spaces that players name are their own title."""
        for entry in self.words[what]:
            if re.fullmatch(re.escape(entry["id"]).replace(r"\*", ".+").replace(r"\#", "[0-9]"), name):
                return entry["title"] if entry["id"] == name else f"{entry['title']} {name}"
        return name

    def lines(self) -> Iterator[str]:
        """The table, and what is to be decided."""
        yield self.now["banner"]["stage"]
        values = self.now["position"]["tracks"]
        for track in self.words["tracks"]:
            number, names = values.get(track["id"], 0), dict(enumerate(track["names"], track["low"] or 0))
            bounds = f" ({track['low']} to {track['high']})" if None not in (track["low"], track["high"]) else ""
            yield f"{track['title']}: {names.get(number, number)}{bounds}"
        for place, pieces in self.now["position"]["places"].items():
            yield f"{self.title('places', place)}: {', '.join(map(self.piece, pieces))}"
        possible = [way["action"] for way in self.now["legal"] if way["possible"]]
        yield from (f"{action} - {self.title('actions', action)}" for action in possible)
        if question := self.now["pending"]:
            yield f"{self.title('seats', question['seat'])}, {self.title('questions', question['key'])}: {question['prompt']}?"
            yield from (f"  {choice['value']} - {choice['label']}" for choice in question["choices"])

    def piece(self, piece: Document) -> str:
        marks = [f"{self.title('marks', mark)} {value}" for mark, value in piece.get("marks", {}).items()]
        return f"{piece['name']} ({'; '.join([self.title('kinds', piece['kind']), self.title('faces', piece['face']), *marks])})"

    def play(self, typed: str) -> str:
        """Send what was typed; why it was refused, or ""."""
        question, advice = self.now["pending"], {} if typed else self.ask(do="bot", think=0, **self.where)
        request: Document = {"do": "answer", "at": question["at"]} if question else {"do": "begin", "action": typed}
        if typed == "undo":
            request = {"do": "undo", "reply": True}
        elif advice.get("action") or advice.get("answers"):
            request |= {"values": advice["answers"]} if question else {"action": advice["action"], "values": advice["answers"]}
        elif question:
            request |= {"value": typed} if typed else {"accept": True}
        answer = self.ask(**request, **self.where)
        self.now = self.now if "error" in answer else answer
        return answer["error"]["message"] if "error" in answer else ""


if __name__ == "__main__":
    server = subprocess.Popen([sys.executable, "-m", "companion", "serve", "--stdio"], stdin=-1, stdout=-1, text=True)

    def ask(**request: Any) -> Document:
        print(json.dumps(request), file=server.stdin, flush=True)
        return json.loads(server.stdout.readline())

    screen = Screen(ask, session=sys.argv[1], **dict(zip(["db"], sys.argv[2:], strict=False)))
    while not screen.now["over"]:
        print(*screen.lines(), sep="\n")
        print(screen.play(input("> ")))
