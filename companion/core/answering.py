"""The one way in which requests are answered: at the table, in a script, for odds, for advice and in tests.

A ``Clerk`` answers what nobody need be asked for. ``supply`` goes through all that is there for a question, in one order.
``drive`` carries a procedure whose replies nobody stores; the desk of a session carries those that are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from companion.core.effects import Effect, Given, Progress
from companion.core.errors import Ambiguous, Illegal, QuestionPending, Unreadable
from companion.core.game import Game
from companion.core.procedures import Procedure, Run
from companion.core.referee import Referee
from companion.core.request import Request
from companion.core.requests import Printed, Roll
from companion.core.words import clean, plural

R = TypeVar("R")

ONLY = "only"
"""The source of a reply that nobody was asked for, because no other can be given."""


class Exact(str):
    """An answer as plain data, as another program gives it: a number, a truth value, a list, or a text. It stands among the
    typed ones, and is what it is told as.
    """

    value: Any

    @classmethod
    def of(cls, value: Any) -> Exact:
        told = cls(", ".join(map(str, value)) if isinstance(value, list) else value)
        told.value = value
        return told

    def reply(self, request: Request[Any]) -> Any:
        """The reply that it means: the value itself, or a text as it would be typed. Raises Unreadable: none."""
        try:
            return request.check(self.value)
        except Unreadable:
            if isinstance(self.value, str):
                return request.read(self.value)
            raise


class Answers:
    """Answers that were brought along, consumed in order.

    Args:
        keyed: by the key of the question, in order where a key comes twice.
        dice: faces, for whatever rolls come.
        draws: names of counters, for whatever draws come.
        plain: answers without a key, for whatever question comes next.
        spoken: the words stand as they were spoken, without quotes; each question takes as many as it understands.
        accept: take what a question suggests, as a bare Enter would; at a roll or a draw Companion does it.
    """

    __slots__ = ("accept", "asked", "dice", "draws", "keyed", "plain", "spoken")

    def __init__(
        self,
        keyed: Sequence[tuple[str, str]] = (),
        dice: Sequence[int] = (),
        draws: Sequence[str] = (),
        plain: Sequence[str] = (),
        accept: bool = False,
        spoken: bool = False,
    ) -> None:
        self.keyed = list(keyed)
        self.dice = list(dice)
        self.draws = list(draws)
        self.plain = list(plain)
        self.accept = accept
        self.spoken = spoken
        self.asked: list[str] = []

    def copy(self) -> Answers:
        """The same answers, to be consumed apart from these."""
        return Answers(self.keyed, self.dice, self.draws, self.plain, self.accept, self.spoken)

    def by_key(self, request: Request[Any]) -> str | None:
        """The next answer for that key, taken out; None if there is none. Spoken words that are none of it have no key."""
        for at, (name, text) in enumerate(self.keyed):
            if name == request.key:
                del self.keyed[at]
                if isinstance(text, Exact):
                    return text
                words = text.split() if self.spoken else [text]
                many = understood(request, words) or len(words)
                self.plain[:0] = words[many:]
                return " ".join(words[:many])
        return None

    def next_plain(self, request: Request[Any]) -> str | None:
        """The next answer without a key, taken out; None if there is none. Spoken words that are no die and no counter wait
        for the question after the roll or the draw; a number there is a die, lest it answer something else later.
        """
        if self.plain and isinstance(self.plain[0], Exact):
            return self.plain.pop(0)
        many = understood(request, self.plain) if self.spoken else _least(self.plain)
        if not many and request.by_chance and not (isinstance(request, Roll) and "".join(self.plain[:1]).isdecimal()):
            return None
        many = many or _least(self.plain)
        text = " ".join(self.plain[:many])
        del self.plain[:many]
        return text or None

    def names(self, request: Request[Any], only: Any) -> bool:
        """Whether a plain answer, then taken out, names the only one there is: whoever says it need not know that it goes
        without.
        """
        many = understood(request, self.plain) if self.spoken else min(1, len(self.plain))
        if not many or not _means(request, " ".join(self.plain[:many]), only):
            return False
        del self.plain[:many]
        return True

    def bar(self, request: Request[Any]) -> bool:
        """Whether the next plain answer names something that the question does not offer, to be refused by its rule."""
        return any(map(request.bars, self._heads()[: None if self.spoken else 1]))

    def called(self, key: str) -> list[str]:
        """What may have been meant for a question that was never put: answers with its key, or the first plain words."""
        return [text for name, text in self.keyed if name == key] or self._heads()

    def _heads(self) -> list[str]:
        """The plain answers from the front: the first word, the first two, and so on."""
        return [" ".join(self.plain[:many]) for many in range(1, len(self.plain) + 1)]

    def faces(self, roll: Roll) -> list[int] | None:
        """The dice for a roll, taken out; None if none were brought.

        Raises:
            Unreadable: there are too few, or one that the die does not show.
        """
        if not self.dice:
            return None
        if len(self.dice) < roll.count:
            left = plural(len(self.dice), "die is left", "dice are left")
            raise Unreadable(
                f"{roll.prompt}: {plural(roll.count, 'die', 'dice')} needed, and {left}", rule=roll.rule, cure=roll.expects()
            )
        found = roll.check(self.dice[: roll.count])
        del self.dice[: roll.count]
        return found

    def leftover(self) -> list[str]:
        """What nobody asked for, in words: ``to=3-8``, ``2 dice``, ``draw Militia``."""
        left = [f"{clean(key)}={clean(text)}" for key, text in self.keyed]
        left += [f"'{clean(text)}'" for text in self.plain]
        left += [plural(len(self.dice), "die", "dice")] if self.dice else []
        return left + [f"draw {clean(name)}" for name in self.draws]

    def nothing_left(self, referee: Referee, request: Request[Any] | None) -> None:
        """Answers that nobody asked for are refused, so that a misspelt key is not lost in silence; not those that say of a
        question that did not arise what comes to the same.

        Raises:
            Unreadable: some are left.
            Illegal: the rules kept the question from being asked.
        """
        self.keyed = [(key, text) for key, text in self.keyed if text not in referee.as_good.get(key, ())]
        left = self.leftover()
        if not left:
            return
        for key, _ in self.keyed:
            if key in referee.unasked:
                raise referee.refusal(key)
        asked = ", ".join(dict.fromkeys(self.asked)) or "nothing"
        if request and request.key not in dict(self.keyed):
            cure = f"First comes '{request.prompt}': add {request.key}=VALUE"
        else:
            cure = f"Asked: {asked}"
        raise Unreadable(f"not asked for: {', '.join(left)}", cure=f"{cure}. Nothing is recorded")


def understood(request: Request[Any], words: Sequence[str]) -> int:
    """How many words from the front a question takes for an answer: as many as it can, 0 if it understands none. A list goes on
    behind its commas.
    """
    for many in range(len(words), _least(words) - 1, -1):
        try:
            request.read(" ".join(words[:many]))
        except (Ambiguous, Illegal):  # it is understood, and what is wrong with it will be told
            return many
        except Unreadable:
            continue
        return many
    return 0


def _means(request: Request[Any], text: str, value: Any) -> bool:
    try:
        return bool(request.read(text) == value)
    except (Illegal, Unreadable):
        return False


def _least(words: Sequence[str]) -> int:
    """How many words make the shortest answer: up to the first without a comma behind it."""
    return next((at for at, word in enumerate(words, 1) if not word.endswith((",", ";"))), len(words))


class Clerk:
    """Answers without asking anybody: what is remembered, what is shipped, and what Companion rolls and draws.

    Args:
        game: the game, for its printed facts.
        facts: gets what the owner has told, by full key.
        settings: ``dice`` and ``draws``, each ``computer`` or ``physical``; ``think``, playouts a candidate, if chosen.
        seed: of the session.
        watch: is shown how far an opponent has come with its thinking.

    Attributes:
        think: whether decisions of a side that Companion plays are weighed by playing on.
    """

    def __init__(
        self,
        game: Game,
        facts: Callable[[], Mapping[str, str]],
        settings: Mapping[str, str],
        seed: str,
        watch: Callable[[Progress], None] = lambda progress: None,
    ) -> None:
        self._game = game
        self._facts = facts
        self._settings = settings
        self.seed = seed
        self.think = True
        self.watch = watch
        self.told: dict[str, str] = {}

    def learn(self, given: Given) -> None:
        """Remember what a reply told, from its very question on; it is stored with the reply."""
        if given.tells:
            self.told[given.tells[0]] = given.tells[1]

    def known(self) -> Mapping[str, str]:
        """Every printed fact, those of this very action included."""
        return {**self._facts(), **self.told} if self.told else self._facts()

    def chosen_budget(self) -> int | None:
        """Playouts a candidate, where somebody chose how many; None: as many as the game takes by itself."""
        chosen = self._settings.get("think", "")
        return int(chosen) if chosen.isdecimal() else None

    def budget(self, options: Mapping[str, str]) -> int:
        """Playouts a candidate where the opponent plays on to weigh a decision, in a session with these options."""
        chosen = self.chosen_budget()
        return self._game.players.usual_think(options) if chosen is None else chosen

    def settle(self, effect: Effect[Any]) -> Given:
        """Carry an effect out."""
        given = effect.given(self.known())
        self.learn(given)
        return given

    def own(self, request: Request[Any]) -> bool:
        """Whether Companion rolls or draws by default; never out of a cup that it believes to be empty."""
        setting = request.by_chance
        return bool(setting) and self._settings.get(setting, "computer") == "computer" and request.can_be_left()

    def chance(self, request: Request[Any], index: int) -> Given:
        """Companion's own roll or draw. Raises Illegal: the cup is empty."""
        return Given(request.chance(self.seed, index), "computer")

    def remembered(self, request: Request[Any]) -> Given | None:
        """What is known of a printed fact, without a sample of ours."""
        if not isinstance(request, Printed):
            return None
        told = self.told[request.fact] if request.fact in self.told else self._facts().get(request.fact)
        for value, source in ((told, "remembered"), (self._shipped(request.fact), "rulebook")):
            try:
                if value is not None:
                    return Given(request.check(value), source)
            except Unreadable:  # told in a notation that has changed since: ask again
                continue
        return None

    def _shipped(self, key: str) -> str | None:
        fact = self._game.fact(key)
        return None if fact is None else fact.shipped.get(key.partition(":")[2] or key)

    def automatic(self, request: Request[Any], index: int) -> Given | None:
        """The reply that nobody is asked for, or None where this is a question."""
        if request.by_chance:
            return self.chance(request, index) if self.own(request) else None
        if isinstance(request, Printed):
            found = self.remembered(request)
            return Given(request.check(request.fallback), "sample") if not found and request.fallback is not None else found
        only = request.only()
        return None if only is None else Given(only, ONLY)

    def typed(self, request: Request[Any], text: str, index: int, source: str, anyway: bool) -> Given:
        """The reply that a text means; an empty one is a bare Enter.

        Raises:
            Unreadable: it means none.
            Illegal: a drawn counter cannot be in the cup, and nobody insisted.
        """
        if isinstance(text, Exact):
            return request.taken(text.reply(request), source, anyway)
        return request.given(text, source, anyway) if text.strip() else self._enter(request, index, "")

    def _enter(self, request: Request[Any], index: int, how: str) -> Given:
        """What is suggested. ``how``: by which word an answer is given where it is not simply typed."""
        if request.by_chance:
            return self.chance(request, index)
        if request.suggest is None:
            cure = " ".join(filter(None, [how, request.expects()])) or f"Add {request.key}=VALUE."
            raise Unreadable(f"no answer yet: {request.prompt}", rule=request.rule, cure=cure)
        return Given(request.check(request.suggest), "suggested")

    # -- with answers that were brought along ------------------------------------------------------------------

    def supply(self, request: Request[Any], answers: Answers, index: int, anyway: bool, asked: bool = False) -> Given | None:
        """The reply to a question out of all that is there, or None where it must be asked.

        In this order: what is remembered (unless it is told anew), what was brought for this question, what is shipped or
        left to Companion, what was brought for any question, and with ``accept`` what is suggested.

        Args:
            request: the question.
            answers: consumed in order.
            index: the place among the random replies in force.
            anyway: whether the player insists.
            asked: the question is already before the player, so that an answer comes before what could be filled in.
        """
        told_anew = isinstance(request, Printed) and any(key == request.key for key, _ in answers.keyed)
        if not asked and not told_anew and (found := self.remembered(request)):
            return found
        answers.asked.append(request.key)
        brought = self._brought(request, answers, index, anyway)
        if brought is not None:
            return brought
        if not asked and (found := self.automatic(request, index)) and not (found.source == ONLY and answers.bar(request)):
            named = found.source == ONLY and answers.names(request, found.value)
            return Given(found.value, "scripted") if named else found
        plain = answers.next_plain(request)
        if plain is not None:
            return self.typed(request, plain, index, "scripted", anyway)
        if found := self.automatic(request, index):
            return found
        if answers.accept and (request.suggest is not None or request.by_chance):
            return self._enter(request, index, f"Add {request.key}=VALUE.")
        return None

    def _brought(self, request: Request[Any], answers: Answers, index: int, anyway: bool) -> Given | None:
        """An answer that was brought for this question and no other."""
        text = answers.by_key(request)
        if text is not None:
            return self.typed(request, text, index, "scripted", anyway)
        if isinstance(request, Roll):
            faces = answers.faces(request)
            return None if faces is None else Given(faces, "scripted")
        if request.by_chance and answers.draws:
            return self.typed(request, answers.draws.pop(0), index, "scripted", anyway)
        return None


# -- procedures whose replies nobody stores ------------------------------------------------------------------------------


class Answerer(Protocol):
    """Who replies to a procedure."""

    def reply(self, request: Request[Any]) -> Any:
        """The reply to a request, as its ``check`` accepts it."""

    def settle(self, effect: Effect[Any]) -> Any:
        """What comes of an effect."""


def drive(referee: Referee, procedure: Procedure[R], answerer: Answerer, anyway: bool = False) -> R | None:
    """Carry a procedure to its end; returns its result. Whatever the answerer raises comes through."""
    run = Run(referee, procedure, answerer.settle, anyway)
    try:
        while run.request is not None:
            run.send(answerer.reply(run.request), anyway)
    finally:
        run.close()
    return run.result


class Missing(QuestionPending):
    """Something that must be known first, and nobody can be asked. ``request``: the question."""

    kind = "missing"

    def __init__(self, request: Request[Any]) -> None:
        super().__init__(
            request.prompt if "?" in request.prompt else f"{request.prompt}: not answered yet",
            rule=request.rule,
            cure=f"Add {request.key}=VALUE. {request.expects()}",
        )
        self.request = request


class Inquirer:
    """Answers a procedure that is asked and not recorded (odds, advice): what is brought along, what is known, what is
    suggested, what chance gives; and what is left, a question to whoever can be asked.

    Args:
        clerk: who knows the facts. What is told on the way is with it, to be stored once all has succeeded.
        answers: what was brought along.
        ask: asks the player for the reply; None where nobody can be asked.
        watch: is shown how far a long computation has come.
    """

    def __init__(
        self,
        clerk: Clerk,
        answers: Answers,
        ask: Callable[[Request[Any]], Given] | None = None,
        watch: Callable[[Progress], None] = lambda progress: None,
    ) -> None:
        self.clerk = clerk
        self.answers = answers
        self._ask = ask
        self._watch = watch
        self._random = 0

    def reply(self, request: Request[Any]) -> Any:
        given = self.clerk.supply(request, self.answers, self._random, False)
        if given is None:
            if self._ask is None:
                raise Missing(request)
            given = self._ask(request)
        self._random += bool(request.by_chance)
        self.clerk.learn(given)
        return given.value

    def settle(self, effect: Effect[Any]) -> Any:
        if isinstance(effect, Progress):
            self._watch(effect)
        return self.clerk.settle(effect).value
