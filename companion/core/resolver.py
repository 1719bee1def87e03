"""Resolves requests. Used by interactive play, scripts, odds, advice and tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from companion.core import procedures
from companion.core.errors import Illegal, Impossible, QuestionPending, Unreadable
from companion.core.game import Game
from companion.core.hints import Protocol, TypeVar
from companion.core.procedures import FORCED, TRUSTED, AnyEffect, Procedure, ProcedureRun, Progress, ResolvedReply, Source
from companion.core.referee import Referee
from companion.core.requests import AnyRequest, Confirm, Printed, Roll
from companion.core.text import clean, plural, similar_names
from companion.core.values import ReplyValue

R = TypeVar("R")


class TypedValue(str):
    """A typed value (int, bool, list, str) supplied by an API client in place of text."""

    value: ReplyValue

    @classmethod
    def of(cls, value: ReplyValue) -> TypedValue:
        typed = cls(", ".join(map(str, value)) if isinstance(value, list) else value)
        typed.value = value
        return typed

    def to_reply(self, request: AnyRequest) -> ReplyValue:
        """Convert to a reply: the value itself, or a text as if typed. Raises Unreadable."""
        try:
            return request.check(self.value)
        except Unreadable:
            if isinstance(self.value, str):
                return request.read(self.value)
            raise


class Answers:
    """Prepared answers, consumed in order: pairs of question key and text, and plain ones for the next question.

    ``accept`` takes the suggestion of a question as a bare Enter would, and Companion rolls and draws. ``is_line``: the plain
    answers are the parts of one line typed at the table, before their questions were shown. A printed fact, a yes or no, a roll,
    a draw and a number in a list take none of them.
    """

    __slots__ = ("accept", "asked_keys", "dice", "draws", "is_line", "keyed", "plain")

    def __init__(
        self,
        keyed: Sequence[tuple[str, str]] = (),
        dice: Sequence[int] = (),
        draws: Sequence[str] = (),
        plain: Sequence[str] = (),
        accept: bool = False,
        is_line: bool = False,
    ) -> None:
        self.keyed = list(keyed)
        self.dice = list(dice)
        self.draws = list(draws)
        self.plain = list(plain)
        self.accept = accept
        self.is_line = is_line
        self.asked_keys: list[str] = []

    def copy(self) -> Answers:
        """A copy that is consumed independently."""
        return Answers(self.keyed, self.dice, self.draws, self.plain, self.accept, self.is_line)

    def take_keyed(self, request: AnyRequest) -> str | None:
        """Take the next answer for the key of the request, or None."""
        for index, (name, text) in enumerate(self.keyed):
            if name == request.key:
                del self.keyed[index]
                return text
        return None

    def drop_series(self, request: AnyRequest | None) -> list[str]:
        """Drop the answers left for a question, after one of several typed together was refused; return them."""
        dropped = [text for key, text in self.keyed if request and key == request.key]
        self.keyed = [(key, text) for key, text in self.keyed if not request or key != request.key]
        return dropped

    def take_plain(self, request: AnyRequest) -> str | None:
        """Take the next answer without a key, or None."""
        if self.plain and isinstance(self.plain[0], TypedValue):
            return self.plain.pop(0)
        if self.is_line and not self._fits_unseen(request):
            return None
        text, count = self._next_plain(request)
        del self.plain[:count]
        return text or None

    def _fits_unseen(self, request: AnyRequest) -> bool:
        """True if a question that was not shown yet may take the next part of the line."""
        if request.chance_setting or isinstance(request, Confirm | Printed):
            return False
        return not request.list_numbers(self._next_plain(request)[0])

    def _next_plain(self, request: AnyRequest) -> tuple[str, int]:
        """The next plain answer, and the number of parts that it takes.

        A line was cut at its semicolons: an answer that holds some itself is put together again.
        """
        if not self.is_line:
            count = _shortest_answer(self.plain)
            return " ".join(self.plain[:count]), count
        for count in range(len(self.plain), 1, -1):
            text = "; ".join(self.plain[:count])
            with suppress(Unreadable):
                request.read(text)
                return text, count
        return "".join(self.plain[:1]), min(1, len(self.plain))

    def take_if_forced(self, request: AnyRequest, only: ReplyValue) -> bool:
        """Take the next plain answer if it names the only legal reply; return whether it did."""
        with suppress(Illegal, Unreadable):
            if self.plain and request.read(self.plain[0]) == only:
                del self.plain[0]
                return True
        return False

    def next_is_excluded(self, request: AnyRequest) -> bool:
        """True if the next plain answer names a choice the rules exclude."""
        return bool(self.plain) and request.is_excluded(self.plain[0])

    def texts_for(self, key: str) -> list[str]:
        """The answers that may be meant for a question not asked: those with its key, else the first plain one."""
        return [text for name, text in self.keyed if name == key] or self.plain[:1]

    def take_dice(self, roll: Roll) -> list[int] | None:
        """Take the dice for a roll, or None if there are none. Raises Unreadable: too few dice, or a face does not exist."""
        if not self.dice:
            return None
        if len(self.dice) < roll.count:
            left = plural(len(self.dice), "die is left", "dice are left")
            text = f"{roll.prompt}: {plural(roll.count, 'die', 'dice')} needed, and {left}"
            raise Unreadable(text, rule=roll.rule, cure=roll.expects())
        faces = roll.check(self.dice[: roll.count])
        del self.dice[: roll.count]
        return faces

    def unused(self) -> list[str]:
        """The answers left, in words: ``to=3-8``, ``2 dice``, ``draw Militia``."""
        left = [f"{clean(key)}={clean(text)}" for key, text in self.keyed]
        left += [f"'{clean(text)}'" for text in self.plain]
        left += [plural(len(self.dice), "die", "dice")] if self.dice else []
        return left + [f"draw {clean(name)}" for name in self.draws]

    def check_keys(self, game: Game) -> None:
        """Raise Unreadable for an answer whose key no question of the game has.

        It is checked before an action begins: a refusal after a roll or a reveal would tell its result.
        """
        for key, text in self.keyed:
            if not game.is_question_key(key):
                near = similar_names(key, game.question_keys)
                cure = f"Did you mean {' or '.join(f'{name}=' for name in near)}? " if near else ""
                raise Unreadable(f"not asked for: {clean(key)}={clean(text)}", cure=f"{cure}Nothing is recorded")

    def check_all_used(self, referee: Referee, request: AnyRequest | None) -> None:
        """Raise an error if answers are left, except those equivalent to a question not being asked.

        Raises Illegal if the rules skipped the question of an answer, else Unreadable: a key may be misspelt.
        """
        self.keyed = [(key, text) for key, text in self.keyed if text not in referee.equivalent.get(key, ())]
        left = self.unused()
        if not left:
            return
        for key, _ in self.keyed:
            if key in referee.skipped_questions:
                raise referee.refusal(key)
        if request and request.key not in dict(self.keyed):
            cure = f"First comes '{request.prompt}': add {request.key}=VALUE"
        else:
            cure = f"Asked: {', '.join(dict.fromkeys(self.asked_keys)) or 'nothing'}"
        raise Unreadable(f"not asked for: {', '.join(left)}", cure=f"{cure}. Nothing is recorded")


def _shortest_answer(words: Sequence[str]) -> int:
    """The number of words up to the first that does not end with a comma."""
    return next((count for count, word in enumerate(words, 1) if not word.endswith(",")), len(words))


class ReplyResolver:
    """Resolves requests without asking the player: remembered and printed values, seeded dice and draws, forced replies.

    ``facts`` returns the recorded facts by full key. The settings are ``dice`` and ``draws`` (``computer`` or ``physical``), and
    ``think``, playouts per candidate if chosen. ``new_facts`` are those recorded by the current entry. ``uses_rollouts`` is True
    if decisions of automated sides are compared by rollouts.
    """

    def __init__(
        self,
        game: Game,
        facts: Callable[[], Mapping[str, str]],
        settings: Mapping[str, str],
        seed: str,
        watch: procedures.ProgressCallback = procedures.ignore_progress,
    ) -> None:
        self._game = game
        self._facts = facts
        self._settings = settings
        self.seed = seed
        self.uses_rollouts = True
        self.jobs: Callable[[], int] = lambda: 1  # the number of cores for rollouts
        self.on_progress = watch
        self.new_facts: dict[str, str] = {}

    def remember(self, given: ResolvedReply) -> None:
        """Remember the fact that a reply records, for the rest of the entry."""
        if given.new_fact:
            self.new_facts[given.new_fact[0]] = given.new_fact[1]

    def known_facts(self) -> Mapping[str, str]:
        """All printed facts, including those of the current entry."""
        return {**self._facts(), **self.new_facts} if self.new_facts else self._facts()

    def chosen_playouts(self) -> int | None:
        """The playouts per candidate that the player chose; None if not chosen."""
        chosen = self._settings.get("think", "")
        return int(chosen) if chosen.isdecimal() else None

    def playouts(self, options: Mapping[str, str]) -> int:
        """The playouts per candidate for a session with these options."""
        chosen = self.chosen_playouts()
        return self._game.players.default_playouts(options) if chosen is None else chosen

    def run_effect(self, effect: AnyEffect) -> ResolvedReply:
        """Run an effect and remember the fact that it records."""
        reply = effect.resolve(self.known_facts())
        self.remember(reply)
        return reply

    def is_automatic(self, request: AnyRequest) -> bool:
        """True if Companion rolls or draws by default; never from a cup that it believes to be empty."""
        setting = request.chance_setting
        return bool(setting) and self._settings.get(setting, "computer") == "computer" and request.can_be_automatic()

    def is_trusted(self, request: AnyRequest) -> bool:
        """True if the nonces of all seats decide a roll or draw, and nobody types it."""
        setting = request.chance_setting
        return bool(setting) and self._settings.get(setting) == TRUSTED and request.can_be_automatic()

    def refuse_trusted(self, request: AnyRequest) -> None:
        """Raise Impossible if the nonces of all seats decide the roll or draw."""
        if self.is_trusted(request):
            what = "dice" if isinstance(request, Roll) else "draws"
            cure = "They come by themselves once the other seat has sent its share. See: companion status"
            raise Impossible(f"the {what} of this session are trusted: nobody types or rolls them alone", cure=cure)

    def roll_or_draw(self, request: AnyRequest, index: int) -> ResolvedReply:
        """Roll or draw. Raises Illegal: the cup is empty, or the dice are trusted."""
        self.refuse_trusted(request)
        return ResolvedReply(request.seeded_reply(self.seed, index), "computer")

    def recall(self, request: AnyRequest) -> ResolvedReply | None:
        """The known value of a printed fact, without sample values; None if unknown."""
        if not isinstance(request, Printed):
            return None
        recorded = self.new_facts[request.fact] if request.fact in self.new_facts else self._facts().get(request.fact)
        kind, _, name = request.fact.partition(":")
        fact = self._game.fact(request.fact)
        printed = fact.rulebook_values.get(name or kind) if fact else None
        candidates: tuple[tuple[str | None, Source], ...] = ((recorded, "remembered"), (printed, "rulebook"))
        for value, source in candidates:
            if value is not None:
                with suppress(Unreadable):  # the notation may have changed since: ask again
                    return ResolvedReply(request.check(value), source)
        return None

    def automatic_reply(self, request: AnyRequest, index: int) -> ResolvedReply | None:
        """The reply that needs no answer from the player, or None if the player must be asked."""
        if self.is_automatic(request):
            return self.roll_or_draw(request, index)
        if isinstance(request, Printed):
            reply = self.recall(request)
            if reply is None and request.fallback is not None:
                return ResolvedReply(request.check(request.fallback), "sample")
            return reply
        forced = request.forced_reply()
        return None if forced is None else ResolvedReply(forced, FORCED)

    def parse_reply(self, request: AnyRequest, text: str, index: int, source: Source, anyway: bool) -> ResolvedReply:
        """Return the reply that a text means; an empty text is a bare Enter. Raises Unreadable.

        Raises Illegal: a drawn counter cannot be in the cup and `anyway` is not set.
        """
        if not isinstance(text, TypedValue) and not text.strip():
            return self._default_reply(request, index, "")
        self.refuse_trusted(request)
        try:
            if isinstance(text, TypedValue):
                return request.accept_reply(text.to_reply(request), source, anyway)
            return request.parse_reply(text, source, anyway)
        except Unreadable as error:
            from companion.core.exclusions import explain

            raise explain(error, text, request, self._game) from None

    def _default_reply(self, request: AnyRequest, index: int, cure: str) -> ResolvedReply:
        """The reply of a bare Enter. ``cure`` says how to give an answer where it is not typed."""
        if request.chance_setting:
            return self.roll_or_draw(request, index)
        if request.default_reply is None:
            cure = " ".join(filter(None, [cure, request.expects()])) or f"Add {request.key}=VALUE."
            raise Unreadable(f"no answer yet: {request.prompt}", rule=request.rule, cure=cure)
        return ResolvedReply(request.check(request.default_reply), "suggested")

    def resolve(
        self, request: AnyRequest, answers: Answers, index: int, anyway: bool, asked: bool = False
    ) -> ResolvedReply | None:
        """Return the reply to a request, or None if it must be asked. Answers are consumed in order.

        The order: remembered values (unless given anew), answers for this key, automatic replies, plain answers, and with
        ``accept`` the suggestion. If the question has been shown to the player (``asked``), answers precede automatic replies.
        The index is that among the random replies in force; ``anyway`` accepts answers that contradict the position.
        """
        has_new_value = isinstance(request, Printed) and any(key == request.key for key, _ in answers.keyed)
        if not asked and not has_new_value and (recalled := self.recall(request)):
            return recalled
        answers.asked_keys.append(request.key)
        if self.is_trusted(request) and request.forced_reply() is None:
            if answers.take_keyed(request) is not None or (answers.dice if isinstance(request, Roll) else answers.draws):
                self.refuse_trusted(request)
            if asked and answers.plain:
                self.refuse_trusted(request)
            return None
        prepared = self._prepared_reply(request, answers, index, anyway)
        if prepared is not None:
            return prepared
        if not asked and (automatic := self.automatic_reply(request, index)):
            if automatic.source != FORCED:
                return automatic
            if not answers.next_is_excluded(request):
                is_named = answers.take_if_forced(request, automatic.value)
                return ResolvedReply(automatic.value, "scripted") if is_named else automatic
        plain = answers.take_plain(request)
        if plain is not None:
            return self.parse_reply(request, plain, index, "scripted", anyway)
        if automatic := self.automatic_reply(request, index):
            return automatic
        if answers.accept and (request.suggest is not None or request.chance_setting):
            return self._default_reply(request, index, f"Add {request.key}=VALUE.")
        return None

    def _prepared_reply(self, request: AnyRequest, answers: Answers, index: int, anyway: bool) -> ResolvedReply | None:
        """The reply prepared for this question only, or None."""
        text = answers.take_keyed(request)
        if text is not None and (texts := request.read_sequence(text)):  # the others wait for their questions
            text, answers.keyed = texts[0], [*((request.key, later) for later in texts[1:]), *answers.keyed]
        if text is not None:
            return self.parse_reply(request, text, index, "scripted", anyway)
        if isinstance(request, Roll):
            faces = answers.take_dice(request)
            return None if faces is None else ResolvedReply(faces, "scripted")
        if request.chance_setting and answers.draws:
            return self.parse_reply(request, answers.draws.pop(0), index, "scripted", anyway)
        return None


class Responder(Protocol):
    """Answers the requests and runs the effects of a procedure."""

    def reply(self, request: AnyRequest) -> ReplyValue:
        """Return a reply that the request's ``check`` accepts."""

    def run_effect(self, effect: AnyEffect) -> ReplyValue:
        """Return the result of an effect."""


def drive(referee: Referee, procedure: Procedure[R], responder: Responder, anyway: bool = False) -> R | None:
    """Run a procedure to its end and return its result. Errors of the responder propagate."""
    run = ProcedureRun(referee, procedure, responder.run_effect, anyway)
    try:
        while run.request is not None:
            run.send(responder.reply(run.request), anyway)
    finally:
        run.close()
    return run.result


class MissingAnswer(QuestionPending):
    """A value is missing and the player cannot be asked."""

    kind = "missing"

    def __init__(self, request: AnyRequest) -> None:
        message = request.prompt if "?" in request.prompt else f"{request.prompt}: not answered yet"
        super().__init__(message, rule=request.rule, cure=f"Add {request.key}=VALUE. {request.expects()}")
        self.request = request


class QueryResponder:
    """Answers procedures that are not recorded (odds, advice): prepared answers, known values, suggestions, chance.

    Then it asks the player, if ``ask`` is given. Facts recorded on the way stay in the resolver, to be stored if all succeeds.
    """

    def __init__(
        self,
        resolver: ReplyResolver,
        answers: Answers,
        ask: Callable[[AnyRequest], ResolvedReply] | None = None,
        watch: procedures.ProgressCallback = procedures.ignore_progress,
    ) -> None:
        self.resolver = resolver
        self.answers = answers
        self._ask = ask
        self._watch = watch
        self._random = 0

    def reply(self, request: AnyRequest) -> ReplyValue:
        resolved = self.resolver.resolve(request, self.answers, self._random, False)
        if resolved is None:
            if self._ask is None:
                raise MissingAnswer(request)
            resolved = self._ask(request)
        self._random += bool(request.chance_setting)
        self.resolver.remember(resolved)
        return resolved.value

    def run_effect(self, effect: AnyEffect) -> ReplyValue:
        if isinstance(effect, Progress):
            self._watch(effect)
        return self.resolver.run_effect(effect).value
