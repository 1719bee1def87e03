"""Another program plays whole games: it knows nothing of them but what each document says.

    python player.py [GAME]...

It starts ``companion serve --stdio`` and speaks lines of JSON with it. Of each answer it reads the question that is open
(``pending``) or, where none is, the actions that are possible (``legal``); it takes what is suggested, or
anything that is offered.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

SERVER = [sys.executable, "-m", "companion", "serve", "--stdio"]
Document = dict[str, Any]


class Refused(Exception):
    """Companion says no, and nothing of it is kept."""


class Companion:
    """The server, asked one thing at a time."""

    def __init__(self, command: list[str] = SERVER) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.asked = 0
        hello = self.ask(hello={"protocol": [1]})
        assert 1 in hello["supported"]

    def ask(self, **request: Any) -> Document:
        """The answer to a request; what others play meanwhile is none of ours."""
        self.asked += 1
        self.process.stdin.write(json.dumps({"id": self.asked, **request}) + "\n")
        self.process.stdin.flush()
        while True:
            answer: Document = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.asked:
                break
        if "error" in answer:
            raise Refused(answer["error"]["message"])
        return answer

    def close(self) -> int:
        """The end of the input is the end of the server; its exit code."""
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait()


class Player:
    """Plays one session to its end.

    Args:
        companion: where it is played.
        game: its id.
        archive: the file that it is kept in; with a made-up set of the game, so that nobody need own it.
        seed: of Companion's dice, and of what is chosen here.
    """

    def __init__(self, companion: Companion, game: str, archive: str = "clients-practice.sqlite3", seed: int = 1) -> None:
        self.companion = companion
        self.chance = random.Random(seed)
        self.now = companion.ask(do="practice", game=game, seed=seed, db=archive, brief=True)
        self.where = {"session": self.now["session"], "db": archive, "brief": True}

    def play(self, most: int = 20_000) -> Document:
        """The last document of the game, after ``most`` questions and actions at the latest."""
        for _ in range(most):
            question, actions = self.now["pending"], [way for way in self.now["legal"] if way["possible"]]
            if question is not None:
                self.now = self.answered(question)
            elif actions and not self.now["over"]:
                self.now = self.begun(actions)
            else:
                break
        return self.now

    def begun(self, actions: list[Document]) -> Document:
        """One of the actions is begun; what it needs is asked next."""
        for way in self.chance.sample(actions, len(actions)):
            try:
                return self.companion.ask(do="begin", action=way["action"], **self.where)
            except Refused:
                continue
        raise Refused("nothing that is possible can be begun")

    def answered(self, question: Document, tries: int = 12) -> Document:
        """A question is answered; where nothing that is tried is allowed, its action is taken back."""
        for number in range(tries):
            said: Document = {"accept": True} if number == 0 and self.easy(question) else {"value": self.value(question)}
            try:
                return self.companion.ask(do="answer", at=question["at"], **said, **self.where)
            except Refused:
                continue
        return self.companion.ask(do="undo", **self.where)

    @staticmethod
    def easy(question: Document) -> bool:
        """Whether a bare Enter will do: Companion rolls and draws, or it suggests something."""
        return question["kind"] in ("roll", "draw") or question["suggest"] is not None

    def value(self, question: Document) -> Any:
        """Anything that a question offers."""
        offered = [choice["value"] for choice in question["choices"]]
        if question["kind"] == "roll":
            faces = range(question["lowest"], question["lowest"] + question["sides"])
            return [self.chance.choice(faces) for _ in range(question["count"])]
        if question["kind"] == "number":
            return self.chance.randint(question["low"], question["high"])
        if question["kind"] == "pick":
            return self.chance.sample(offered, self.chance.randint(question["low"], min(question["high"], len(offered))))
        return self.chance.choice(offered) if offered else question["example"]


def main(games: list[str]) -> None:
    companion = Companion()
    for game in games or ["fallujahcards", "phantomfury"]:
        end = Player(companion, game).play()
        print(f"{game}: {end['over'] or 'not over'}, after {companion.asked} requests in all", flush=True)
    raise SystemExit(companion.close())


if __name__ == "__main__":
    main(sys.argv[1:])
