"""Players for tests: at random, by every offered answer, and on a number pad."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

from companion.cli.repl.prompt import Prompt
from companion.core.errors import CompanionError, Illegal, Unreadable
from companion.core.events import Event, fold
from companion.core.game import Action, Game
from companion.core.policies import random_reply
from companion.core.position import Position
from companion.core.procedures import AnyEffect, ProcedureRun
from companion.core.requests import AnyRequest, Choose, Confirm, Draw, Number, Pick, Printed, Roll, Text
from companion.core.resolver import ReplyResolver
from companion.core.text import matching_names
from companion.session.controller import SessionController
from companion.session.state import load_game

PATIENCE = 40  # Refused answers in a row after which an action is given up, as a player would


class RandomPlayer:
    """Plays a game at random; every action is completed or taken back.

    Undeclared names raise an error if ``trial`` is set. ``TOLD`` are printed facts recorded before the set-up. ``transcripts``
    hold for each action its procedure, position before it, replies and results of effects, and events.
    """

    TOLD: ClassVar[Mapping[str, str]] = {}

    def __init__(self, game_id: str, scenario: str, seed: int, **options: str) -> None:
        self.random = Random(seed)
        self.game: Game = load_game(game_id)
        assert scenario in self.game.scenarios, scenario
        self.options = self.game.default_options(scenario) | options
        self.facts: dict[str, str] = dict(self.TOLD)
        self.resolver = ReplyResolver(self.game, lambda: self.facts, {"dice": "physical", "draws": "physical"}, "")
        self.events: list[Event] = []
        self.position = Position()
        self.trial = True
        self.transcripts: list[tuple[Any, Position, list[Any], list[Event]]] = []
        assert self.play(self.game.setup), "the set-up did not end"

    def number(self, below: int) -> int:
        """A random whole number from 0 up to but excluding the argument."""
        return int(self.random.random() * below)

    def turn(self) -> str:
        """Play one open action; return its id, or "" if there is none or it was given up."""
        over = self.game.over(self.position)
        usable = [action for action in self.game.actions if not (action.alone or (over and action.usual))]
        open_to = [action for action in usable if action.obstacle(self.position) is None]
        if not open_to:
            return ""
        action: Action = self.random.choice(open_to)
        try:
            return action.id if self.play(action.run) else ""
        except Exception as fault:
            fault.add_note(f"action '{action.id}' of {self.game.id}, scenario '{self.options['scenario']}'")
            raise

    def play(self, procedure: Any) -> bool:
        """Carry out a procedure; return False, with nothing kept, if it was refused or given up."""
        replies: list[Any] = []
        results: list[Any] = []
        try:
            run = self._start(procedure, [], results)
        except Illegal:
            return False
        refused = 0
        while run.request is not None:
            stored_count = len(results)
            assert self.game.is_question_key(run.request.key), f"`questions` in game.toml lacks {run.request.key}"
            try:
                self.on_question(procedure, run.request, replies, results)
                value = self.answer(run.request)
                run.send(value)
                replies.append(value)
                refused = 0
            except CompanionError as fault:
                assert isinstance(fault, Illegal | Unreadable), fault
                refused += 1
                if refused > PATIENCE:
                    return False
                del results[stored_count:]
                stored, results = results, []
                run = self._start(procedure, stored, results)
                for reply in replies:
                    run.send(reply)
        self.transcripts.append((procedure, self.position, [replies, results], run.referee.events))
        self.events += run.referee.events
        self.position = run.referee.position
        return True

    def on_question(self, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any]) -> None:
        """Called with each question before it is answered; for derived players."""

    def _start(
        self, procedure: Any, stored: list[Any], results: list[Any], position: Position | None = None
    ) -> ProcedureRun[Any]:
        """Start the procedure. Results of effects are added to ``results``, whose first items are replayed."""

        def settle(effect: AnyEffect) -> Any:
            if not effect.stored:
                return effect.default_result()
            value = effect.check(stored[len(results)]) if len(results) < len(stored) else self.resolver.run_effect(effect).value
            results.append(value)
            return value

        referee = self.game.new_referee(self.position if position is None else position, self.options, self.trial)
        return ProcedureRun(referee, procedure(referee), settle)

    def replayed(self) -> Position:
        """The position after every action is replayed from its replies alone."""
        position = Position()
        for procedure, start, (replies, results), events in self.transcripts:
            assert position == start
            run = self._start(procedure, results, [], position)
            for reply in replies:
                assert run.request is not None
                run.send(run.request.check(reply))
            assert run.done
            assert run.referee.events == events
            position = run.referee.position
        return position

    def folded(self) -> Position:
        return fold(self.events)

    def answer(self, request: AnyRequest) -> Any:
        if (only := request.forced_reply()) is not None:
            return request.check(only)
        if isinstance(request, Printed):
            return self.printed(request)
        if isinstance(request, Text):
            return request.check(self.text(request))
        return random_reply(request, self.number)

    def text(self, request: Text) -> str:
        """An answer in a free notation."""
        return str(random_reply(request, self.number))

    def printed(self, request: Printed) -> str:
        known_reply = self.resolver.automatic_reply(request, 0)
        if known_reply:
            value = known_reply.value
        elif request.notation.choices:
            value = random_reply(request, self.number)
        else:
            value = request.check(self.made_up(request.fact, request.notation.example))
        self.facts[request.fact] = value
        return str(value)

    def made_up(self, fact: str, example: str) -> str:
        """A value for a printed fact of open notation: its example. Games may override it."""
        return example


MOST = 8  # Answers that are tried at one question; of more, some by chance


def offered(request: AnyRequest) -> list[Any]:
    """The answers shown to the player: each choice, each item of a list, all of them, the ends of a range, the default."""
    answers: list[Any] = []
    if isinstance(request, Choose):
        answers = [choice.value for choice in request.choices]
    elif isinstance(request, Confirm):
        answers = [True, False]
    elif isinstance(request, Number):
        answers = sorted({request.low, (request.low + request.high) // 2, request.high})
    elif isinstance(request, Pick):
        answers = _picked(request)
    elif isinstance(request, Draw):
        answers = list(request.contents)
    elif isinstance(request, Text):
        answers = [choice.value for choice in request.legal_choices()]
        if request.example not in answers and "@" not in request.example:  # a counter described anew can be against any rule
            answers.append(request.example)
    return answers if request.suggest is None or request.suggest in answers else [request.suggest, *answers]


def _picked(request: Pick) -> list[list[str]]:
    values = [choice.value for choice in request.choices]
    sets: list[list[str]] = [[]] if request.low == 0 else []
    alone = request.low <= 1 <= request.high
    sets += [[value] for value in values] if alone else [values[: request.low], values[::-1][: request.low]]
    return [*sets, values] if request.allows_all and len(values) > 1 else sets


def misread_texts(request: AnyRequest) -> list[str]:
    """The texts that the screen offers for a choice and that mean something else or nothing: number, name, first letters."""
    if isinstance(request, Pick) and not request.low <= 1 <= request.high:
        return []  # one alone is no answer
    choices = request.legal_choices()
    words = [word for choice in choices for word in (choice.name, choice.label)]
    texts = [(number, choice) for number, choice in zip(request.labels(), choices, strict=False)]
    for choice in choices:
        texts.append((choice.name, choice))
        sizes = range(1, len(choice.name))
        unique = (
            choice.name[:size] for size in sizes if {*matching_names(choice.name[:size], words)} <= {choice.name, choice.label}
        )
        prefix = next((text for text in unique if text[-1].isalpha()), "")
        texts += [(prefix, choice)] if prefix else []
    wanted = [(text, choice.value) for text, choice in texts]
    return [f"{text!r} for {value!r}" for text, value in wanted if _read_value(request, text) not in (value, [value])]


def _read_value(request: AnyRequest, text: str) -> Any:
    """What a typed text means, or the message of its refusal."""
    try:
        return request.read(text)
    except CompanionError as fault:
        return f"{type(fault).__name__}: {fault.message}"


_IN_BRACKETS = re.compile(r"\(([^()]*)\)")


def examples_in_prompt(request: AnyRequest) -> list[str]:
    """The texts in brackets of a prompt that can be read as an answer: a player types them."""
    found = [] if isinstance(request, Roll) else _IN_BRACKETS.findall(request.prompt)
    return [text for text in found if is_readable(request, text)]


def is_readable(request: AnyRequest, text: str) -> bool:
    """True if a question accepts a text as an answer."""
    try:
        request.read(text)
    except CompanionError:
        return False
    return True


class Trying:
    """Mixin for a random player that tries every offered answer.

    It keeps why an answer was refused (by question and answer), questions with a single legal answer, which should have been
    forced, questions to which no offered answer was accepted, and choices that a text on the screen does not select.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self.refusals: Counter[tuple[str, str, str]] = Counter()
        self.singles: Counter[str] = Counter()
        self.unanswerable: Counter[str] = Counter()
        self.misread: Counter[tuple[str, str]] = Counter()
        self.questions = 0
        self.dice = Random(7)
        super().__init__(*args, **options)

    def on_question(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any]) -> None:
        if request.forced_reply() is not None:
            return
        values = offered(request)
        tried = values if len(values) <= MOST else self.dice.sample(values, MOST)
        if request.default_reply is not None and request.default_reply not in tried:
            tried = [request.default_reply, *tried]  # what a bare Enter takes
        if isinstance(request, Choose | Pick | Draw):
            tried = [*tried, *(request.read(text) for text in examples_in_prompt(request))]
            self.misread.update((request.key, text) for text in misread_texts(request))
        elif isinstance(request, Text):
            tried = [*tried, *examples_in_prompt(request)]
        faults = [self._fault(procedure, request, replies, results, value) for value in tried]
        name = getattr(procedure, "where", "setup").rpartition(":")[2]
        for value, fault in zip(tried, faults, strict=True):
            if fault:
                self.refusals[name, f"{request.key}={_shown(value)}", fault] += 1
        self.questions += 1
        taken = faults.count("")
        if values and not taken and len(tried) >= len(values):
            self.unanswerable[f"{name} {request.key}"] += 1
        if isinstance(request, Choose | Confirm | Number | Pick) and taken == 1 and len(tried) == len(values):
            self.singles[f"{name} {request.key}"] += 1

    def _fault(self: Any, procedure: Any, request: AnyRequest, replies: list[Any], results: list[Any], value: Any) -> str:
        """Why an answer is refused, or ""."""
        run = self._start(procedure, list(results), [])
        try:
            for reply in replies:
                run.send(reply)
            assert run.request is not None and run.request.key == request.key
            run.send(run.request.check(run.request.read(value) if isinstance(request, Text) else value))
        except CompanionError as fault:
            assert isinstance(fault, Illegal | Unreadable), fault
            return f"{fault.message} [{fault.rule}]"
        finally:
            run.close()
        return ""


def _shown(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


PAD = frozenset("0123456789.+-*/")
_TELLING = ("zone", "map", "strength", "counter", "place", "tell")  # Actions that write down what is printed, which takes letters


class Hand:
    """Plays at random with what can be typed on the number pad; counts the keys pressed, Enter included.

    ``stuck``: questions at which no typed answer was accepted. ``free``: free texts, which may need letters.
    """

    def __init__(self, session: SessionController, seed: int, most: int) -> None:
        self.session = session
        self.chance = random.Random(seed)
        self.left = most
        self.keys = 0
        self.stuck: list[str] = []
        self.free: list[str] = []
        self._at: tuple[object, int] = (None, 0)
        self._is_second_enter = False

    def ask(self, prompt: Prompt) -> str:
        self.left -= 1
        request, at = self.session.pending, (self.session.pending_entry, self.session.history.seq)
        self._at = (at, self._at[1] + 1 if at == self._at[0] else 0)
        if self.left < 0 or self.session.game.over(self.session.position):
            raise EOFError
        if self._at[1] > 12:
            self.stuck.append(request.key if request else "action")
            raise EOFError
        if prompt.page or "anyway" in prompt.text:
            typed = "-" if prompt.page else "2"
        elif self._is_second_enter:
            typed = ""
        else:
            typed = self.answer(request) if request else self.action()
        self._is_second_enter = not self._is_second_enter and (
            bool(request.chance_setting) and not typed if request else self._ends_something(typed)
        )
        self.keys += len(typed) + 1
        assert set(typed) <= PAD
        return typed

    def _ends_something(self, typed: str) -> bool:
        """True if the number of an action asks for a second Enter."""
        return typed.isdecimal() and self.session.game.actions[int(typed) - 1].ends

    def action(self) -> str:
        """The number of an open action."""
        numbered = enumerate(self.session.game.actions, 1)
        can = [
            n for n, action in numbered if action.obstacle(self.session.position) is None and not action.id.startswith(_TELLING)
        ]
        return str(self.chance.choice(can))

    def answer(self, asked: AnyRequest) -> str:
        if asked.is_list_hidden and not isinstance(asked, Draw):
            return "/"  # lists the numbers
        labels = asked.labels()
        if isinstance(asked, Roll) or (asked.suggest is not None and self.chance.random() < 0.4):
            return ""
        if isinstance(asked, Number):
            return str(self.chance.randint(asked.low, min(asked.high, asked.low + 6)))
        if isinstance(asked, Pick):
            count = min(len(labels), max(asked.low, self.chance.randint(0, min(asked.high, 3))))
            return "+".join(self.chance.sample(list(labels), count)) or "0"
        if isinstance(asked, Text) and not labels:
            self.free.append(asked.key)
            raise EOFError
        return self.chance.choice(labels) if labels and not isinstance(asked, Draw) else ""
