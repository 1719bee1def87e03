"""A hand on the number pad, which plays whatever can be said with it."""

from __future__ import annotations

import random

from companion.cli.repl.prompt import Prompt
from companion.core.request import AnyRequest
from companion.core.requests import Draw, Number, Pick, Roll, Text
from companion.session.controller import SessionController

PAD = frozenset("0123456789.+-*/")
_TELLING = ("zone", "map", "strength", "counter", "place", "tell")
"""Actions that write down what is printed, which takes letters."""


class Hand:
    """Plays whatever the number pad can say, by chance; free texts are those that can be written with it.

    Attributes:
        keys: how many it pressed, with Enter.
        stuck: the questions at which nothing that it typed was taken.
        free: the texts that describe a table of their own.
    """

    def __init__(self, desk: SessionController, seed: int, most: int) -> None:
        self.desk = desk
        self.chance = random.Random(seed)
        self.left = most
        self.keys = 0
        self.stuck: list[str] = []
        self.free: list[str] = []
        self._at: tuple[object, int] = (None, 0)

    def ask(self, prompt: Prompt) -> str:
        self.left -= 1
        asked, at = self.desk.pending, (self.desk.pending_entry, self.desk.history.seq)
        self._at = (at, self._at[1] + 1 if at == self._at[0] else 0)
        if self.left < 0 or self.desk.game.over(self.desk.position):
            raise EOFError
        if self._at[1] > 12:
            self.stuck.append(asked.key if asked else "action")
            raise EOFError
        typed = "-" if prompt.page else "2" if "anyway" in prompt.text else self.answer(asked) if asked else self.action()
        self.keys += len(typed) + 1
        assert set(typed) <= PAD
        return typed

    def action(self) -> str:
        """The number of an action that can be taken."""
        numbered = enumerate(self.desk.game.actions, 1)
        can = [n for n, one in numbered if one.obstacle(self.desk.position) is None and not one.id.startswith(_TELLING)]
        return str(self.chance.choice(can))

    def answer(self, asked: AnyRequest) -> str:
        """An answer that is offered."""
        labels = asked.labels()
        if isinstance(asked, Roll) or (asked.suggest is not None and self.chance.random() < 0.4):
            return ""
        if isinstance(asked, Number):
            return str(self.chance.randint(asked.low, min(asked.high, asked.low + 6)))
        if isinstance(asked, Pick):
            many = min(len(labels), max(asked.low, self.chance.randint(0, min(asked.high, 3))))
            return "+".join(self.chance.sample(list(labels), many)) or "-"
        if isinstance(asked, Text) and not labels:
            self.free.append(asked.key)
            raise EOFError
        return self.chance.choice(labels) if labels and not isinstance(asked, Draw) else ""
