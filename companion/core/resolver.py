"""The one way in which requests are answered: at the table, in a script, for odds, for advice and in tests.

A ``Clerk`` answers what nobody need be asked for. ``supply`` goes through all that is there for a question, in one order.
``drive`` carries a procedure whose replies nobody stores; the desk of a session carries those that are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from companion.core.errors import Ambiguous, Illegal, QuestionPending, Unreadable
from companion.core.game import Game
from companion.core.procedures import FORCED, AnyEffect, Procedure, ProcedureRun, Progress, ResolvedReply, Source
from companion.core.referee import Referee
from companion.core.request import AnyRequest
from companion.core.requests import Printed, Roll
from companion.core.text import clean, plural
from companion.core.values import ReplyValue

R = TypeVar("R")


class TypedValue(str):
    """An answer as plain data, as another program gives it: a number, a truth value, a list, or a text. It stands among the
    typed ones, and is what it is told as.
    """

    value: ReplyValue

    @classmethod
    def of(cls, value: ReplyValue) -> TypedValue:
        told = cls(", ".join(map(str, value)) if isinstance(value, list) else value)
        told.value = value
        return told

    def to_reply(self, request: AnyRequest) -> ReplyValue:
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

    __slots__ = ("accept", "asked_keys", "dice", "draws", "keyed", "plain", "spoken")

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
        self.asked_keys: list[str] = []

    def copy(self) -> Answers:
        """The same answers, to be consumed apart from these."""
        return Answers(self.keyed, self.dice, self.draws, self.plain, self.accept, self.spoken)

    def take_keyed(self, request: AnyRequest) -> str | None:
        """The next answer for that key, taken out; None if there is none. Spoken words that are none of it have no key."""
        for at, (name, text) in enumerate(self.keyed):
            if name == request.key:
                del self.keyed[at]
                if isinstance(text, TypedValue):
                    return text
                words = text.split() if self.spoken else [text]
                many = count_understood(request, words) or len(words)
                self.plain[:0] = words[many:]
                return " ".join(words[:many])
        return None

    def take_plain(self, request: AnyRequest) -> str | None:
        """The next answer without a key, taken out; None if there is none. Spoken words that are no die and no counter wait
        for the question after the roll or the draw; a number there is a die, lest it answer something else later.
        """
        if self.plain and isinstance(self.plain[0], TypedValue):
            return self.plain.pop(0)
        many = count_understood(request, self.plain) if self.spoken else _shortest_answer(self.plain)
        if not many and request.chance_setting and not (isinstance(request, Roll) and "".join(self.plain[:1]).isdecimal()):
            return None
        many = many or _shortest_answer(self.plain)
        text = " ".join(self.plain[:many])
        del self.plain[:many]
        return text or None

    def take_if_forced(self, request: AnyRequest, only: ReplyValue) -> bool:
        """Whether a plain answer, then taken out, names the only one there is: whoever says it need not know that it goes
        without.
        """
        many = count_understood(request, self.plain) if self.spoken else min(1, len(self.plain))
        if not many or not _reads_as(request, " ".join(self.plain[:many]), only):
            return False
        del self.plain[:many]
        return True

    def next_is_excluded(self, request: AnyRequest) -> bool:
        """Whether the next plain answer names something that the question does not offer, to be refused by its rule."""
        return any(map(request.is_excluded, self._prefixes()[: None if self.spoken else 1]))

    def texts_for(self, key: str) -> list[str]:
        """What may have been meant for a question that was never put: answers with its key, or the first plain words."""
        return [text for name, text in self.keyed if name == key] or self._prefixes()

    def _prefixes(self) -> list[str]:
        """The plain answers from the front: the first word, the first two, and so on."""
        return [" ".join(self.plain[:many]) for many in range(1, len(self.plain) + 1)]

    def take_dice(self, roll: Roll) -> list[int] | None:
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

    def unused(self) -> list[str]:
        """What nobody asked for, in words: ``to=3-8``, ``2 dice``, ``draw Militia``."""
        left = [f"{clean(key)}={clean(text)}" for key, text in self.keyed]
        left += [f"'{clean(text)}'" for text in self.plain]
        left += [plural(len(self.dice), "die", "dice")] if self.dice else []
        return left + [f"draw {clean(name)}" for name in self.draws]

    def check_all_used(self, referee: Referee, request: AnyRequest | None) -> None:
        """Answers that nobody asked for are refused, so that a misspelt key is not lost in silence; not those that say of a
        question that did not arise what comes to the same.

        Raises:
            Unreadable: some are left.
            Illegal: the rules kept the question from being asked.
        """
        self.keyed = [(key, text) for key, text in self.keyed if text not in referee.equivalent.get(key, ())]
        left = self.unused()
        if not left:
            return
        for key, _ in self.keyed:
            if key in referee.skipped_questions:
                raise referee.refusal(key)
        asked = ", ".join(dict.fromkeys(self.asked_keys)) or "nothing"
        if request and request.key not in dict(self.keyed):
            cure = f"First comes '{request.prompt}': add {request.key}=VALUE"
        else:
            cure = f"Asked: {asked}"
        raise Unreadable(f"not asked for: {', '.join(left)}", cure=f"{cure}. Nothing is recorded")


def count_understood(request: AnyRequest, words: Sequence[str]) -> int:
    """How many words from the front a question takes for an answer: as many as it can, 0 if it understands none. A list goes on
    behind its commas.
    """
    for many in range(len(words), _shortest_answer(words) - 1, -1):
        try:
            request.read(" ".join(words[:many]))
        except (Ambiguous, Illegal):  # it is understood, and what is wrong with it will be told
            return many
        except Unreadable:
            continue
        return many
    return 0


def _reads_as(request: AnyRequest, text: str, value: ReplyValue) -> bool:
    try:
        return bool(request.read(text) == value)
    except (Illegal, Unreadable):
        return False


def _shortest_answer(words: Sequence[str]) -> int:
    """How many words make the shortest answer: up to the first without a comma behind it."""
    return next((at for at, word in enumerate(words, 1) if not word.endswith((",", ";"))), len(words))


class ReplyResolver:
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
        self.uses_rollouts = True
        self.on_progress = watch
        self.new_facts: dict[str, str] = {}

    def remember(self, given: ResolvedReply) -> None:
        """Remember what a reply told, from its very question on; it is stored with the reply."""
        if given.new_fact:
            self.new_facts[given.new_fact[0]] = given.new_fact[1]

    def known_facts(self) -> Mapping[str, str]:
        """Every printed fact, those of this very action included."""
        return {**self._facts(), **self.new_facts} if self.new_facts else self._facts()

    def chosen_playouts(self) -> int | None:
        """Playouts a candidate, where somebody chose how many; None: as many as the game takes by itself."""
        chosen = self._settings.get("think", "")
        return int(chosen) if chosen.isdecimal() else None

    def playouts(self, options: Mapping[str, str]) -> int:
        """Playouts a candidate where the opponent plays on to weigh a decision, in a session with these options."""
        chosen = self.chosen_playouts()
        return self._game.players.default_playouts(options) if chosen is None else chosen

    def run_effect(self, effect: AnyEffect) -> ResolvedReply:
        """Carry an effect out."""
        given = effect.resolve(self.known_facts())
        self.remember(given)
        return given

    def is_automatic(self, request: AnyRequest) -> bool:
        """Whether Companion rolls or draws by default; never out of a cup that it believes to be empty."""
        setting = request.chance_setting
        return bool(setting) and self._settings.get(setting, "computer") == "computer" and request.can_be_automatic()

    def roll_or_draw(self, request: AnyRequest, index: int) -> ResolvedReply:
        """Companion's own roll or draw. Raises Illegal: the cup is empty."""
        return ResolvedReply(request.seeded_reply(self.seed, index), "computer")

    def recall(self, request: AnyRequest) -> ResolvedReply | None:
        """What is known of a printed fact, without a sample of ours."""
        if not isinstance(request, Printed):
            return None
        told = self.new_facts[request.fact] if request.fact in self.new_facts else self._facts().get(request.fact)
        found: tuple[tuple[str | None, Source], ...] = ((told, "remembered"), (self._shipped(request.fact), "rulebook"))
        for value, source in found:
            try:
                if value is not None:
                    return ResolvedReply(request.check(value), source)
            except Unreadable:  # told in a notation that has changed since: ask again
                continue
        return None

    def _shipped(self, key: str) -> str | None:
        fact = self._game.fact(key)
        return None if fact is None else fact.rulebook_values.get(key.partition(":")[2] or key)

    def automatic_reply(self, request: AnyRequest, index: int) -> ResolvedReply | None:
        """The reply that nobody is asked for, or None where this is a question."""
        if request.chance_setting:
            return self.roll_or_draw(request, index) if self.is_automatic(request) else None
        if isinstance(request, Printed):
            found = self.recall(request)
            return (
                ResolvedReply(request.check(request.fallback), "sample") if not found and request.fallback is not None else found
            )
        only = request.forced_reply()
        return None if only is None else ResolvedReply(only, FORCED)

    def parse_reply(self, request: AnyRequest, text: str, index: int, source: Source, anyway: bool) -> ResolvedReply:
        """The reply that a text means; an empty one is a bare Enter.

        Raises:
            Unreadable: it means none.
            Illegal: a drawn counter cannot be in the cup, and nobody insisted.
        """
        if isinstance(text, TypedValue):
            return request.accept_reply(text.to_reply(request), source, anyway)
        return request.parse_reply(text, source, anyway) if text.strip() else self._default_reply(request, index, "")

    def _default_reply(self, request: AnyRequest, index: int, how: str) -> ResolvedReply:
        """What is suggested. ``how``: by which word an answer is given where it is not simply typed."""
        if request.chance_setting:
            return self.roll_or_draw(request, index)
        if request.suggest is None:
            cure = " ".join(filter(None, [how, request.expects()])) or f"Add {request.key}=VALUE."
            raise Unreadable(f"no answer yet: {request.prompt}", rule=request.rule, cure=cure)
        return ResolvedReply(request.check(request.suggest), "suggested")

    # -- with answers that were brought along ------------------------------------------------------------------

    def resolve(
        self, request: AnyRequest, answers: Answers, index: int, anyway: bool, asked: bool = False
    ) -> ResolvedReply | None:
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
        if not asked and not told_anew and (found := self.recall(request)):
            return found
        answers.asked_keys.append(request.key)
        brought = self._prepared_reply(request, answers, index, anyway)
        if brought is not None:
            return brought
        if (
            not asked
            and (found := self.automatic_reply(request, index))
            and not (found.source == FORCED and answers.next_is_excluded(request))
        ):
            named = found.source == FORCED and answers.take_if_forced(request, found.value)
            return ResolvedReply(found.value, "scripted") if named else found
        plain = answers.take_plain(request)
        if plain is not None:
            return self.parse_reply(request, plain, index, "scripted", anyway)
        if found := self.automatic_reply(request, index):
            return found
        if answers.accept and (request.suggest is not None or request.chance_setting):
            return self._default_reply(request, index, f"Add {request.key}=VALUE.")
        return None

    def _prepared_reply(self, request: AnyRequest, answers: Answers, index: int, anyway: bool) -> ResolvedReply | None:
        """An answer that was brought for this question and no other."""
        text = answers.take_keyed(request)
        if text is not None:
            return self.parse_reply(request, text, index, "scripted", anyway)
        if isinstance(request, Roll):
            faces = answers.take_dice(request)
            return None if faces is None else ResolvedReply(faces, "scripted")
        if request.chance_setting and answers.draws:
            return self.parse_reply(request, answers.draws.pop(0), index, "scripted", anyway)
        return None


# -- procedures whose replies nobody stores ------------------------------------------------------------------------------


class Responder(Protocol):
    """Who replies to a procedure."""

    def reply(self, request: AnyRequest) -> ReplyValue:
        """The reply to a request, as its ``check`` accepts it."""

    def run_effect(self, effect: AnyEffect) -> ReplyValue:
        """What comes of an effect."""


def drive(referee: Referee, procedure: Procedure[R], answerer: Responder, anyway: bool = False) -> R | None:
    """Carry a procedure to its end; returns its result. Whatever the answerer raises comes through."""
    run = ProcedureRun(referee, procedure, answerer.run_effect, anyway)
    try:
        while run.request is not None:
            run.send(answerer.reply(run.request), anyway)
    finally:
        run.close()
    return run.result


class MissingAnswer(QuestionPending):
    """Something that must be known first, and nobody can be asked. ``request``: the question."""

    kind = "missing"

    def __init__(self, request: AnyRequest) -> None:
        super().__init__(
            request.prompt if "?" in request.prompt else f"{request.prompt}: not answered yet",
            rule=request.rule,
            cure=f"Add {request.key}=VALUE. {request.expects()}",
        )
        self.request = request


class QueryResponder:
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
        clerk: ReplyResolver,
        answers: Answers,
        ask: Callable[[AnyRequest], ResolvedReply] | None = None,
        watch: Callable[[Progress], None] = lambda progress: None,
    ) -> None:
        self.clerk = clerk
        self.answers = answers
        self._ask = ask
        self._watch = watch
        self._random = 0

    def reply(self, request: AnyRequest) -> ReplyValue:
        given = self.clerk.resolve(request, self.answers, self._random, False)
        if given is None:
            if self._ask is None:
                raise MissingAnswer(request)
            given = self._ask(request)
        self._random += bool(request.chance_setting)
        self.clerk.remember(given)
        return given.value

    def run_effect(self, effect: AnyEffect) -> ReplyValue:
        if isinstance(effect, Progress):
            self._watch(effect)
        return self.clerk.run_effect(effect).value
