"""What a script or a command line brings along, and how a question is answered before anybody is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.cups import seeded_draw
from companion.core.dice import seeded
from companion.core.errors import Illegal, Unreadable
from companion.core.game import Game
from companion.core.requests import Draw, Known, Printed, Request, Roll, Tell
from companion.core.words import clean, plural


class Given(NamedTuple):
    """A reply before it is sent: its value, where it comes from, and a printed fact that it tells (key, value)."""

    value: Any
    source: str
    tells: tuple[str, str] | None = None
    anyway: bool = False


class Answers:
    """Answers that were brought along, consumed in order.

    Args:
        keyed: by the key of the question, in order where a key comes twice.
        dice: faces, for whatever rolls come.
        draws: names of counters, for whatever draws come.
        plain: answers without a key, for whatever question comes next.
        accept: take what a question suggests, as a bare Enter would; at a roll or a draw Companion does it.
    """

    __slots__ = ("accept", "asked", "dice", "draws", "keyed", "plain")

    def __init__(
        self,
        keyed: Sequence[tuple[str, str]] = (),
        dice: Sequence[int] = (),
        draws: Sequence[str] = (),
        plain: Sequence[str] = (),
        accept: bool = False,
    ) -> None:
        self.keyed = list(keyed)
        self.dice = list(dice)
        self.draws = list(draws)
        self.plain = list(plain)
        self.accept = accept
        self.asked: list[str] = []

    def copy(self) -> Answers:
        """The same answers, to be consumed apart from these."""
        return Answers(self.keyed, self.dice, self.draws, self.plain, self.accept)

    def by_key(self, key: str) -> str | None:
        """The next answer for that key, taken out; None if there is none."""
        for at, (name, text) in enumerate(self.keyed):
            if name == key:
                del self.keyed[at]
                return text
        return None

    def next_plain(self) -> str | None:
        """The next answer without a key, taken out; None if there is none."""
        return self.plain.pop(0) if self.plain else None

    def faces(self, roll: Roll) -> list[int] | None:
        """The dice for a roll, taken out; None if none were brought.

        Raises:
            Unreadable: there are too few, or one that the die does not show.
        """
        if not self.dice:
            return None
        if len(self.dice) < roll.count:
            left = plural(len(self.dice), "die is left", "dice are left")
            raise Unreadable(f"'{roll.key}' needs {roll.count}, and {left}", rule=roll.rule, cure=roll.expects())
        found = roll.check(self.dice[: roll.count])
        del self.dice[: roll.count]
        return found

    def leftover(self) -> list[str]:
        """What nobody asked for, in words: ``to=3-8``, ``2 dice``, ``draw Militia``."""
        left = [f"{clean(key)}={clean(text)}" for key, text in self.keyed]
        left += [f"'{clean(text)}'" for text in self.plain]
        left += [plural(len(self.dice), "die", "dice")] if self.dice else []
        return left + [f"draw {clean(name)}" for name in self.draws]


def drawn(draw: Draw, name: str, anyway: bool) -> bool:
    """Whether a draw has to be recorded against what the cup is believed to hold.

    Raises:
        Illegal: it has, and nobody insisted.
    """
    if name in draw.contents:
        return False
    if not anyway:
        raise Illegal(f"the {draw.holder} has no more {name}; record it anyway?", rule=draw.rule)
    return True


class Clerk:
    """Answers without asking anybody: what is remembered, what is shipped, and what Companion rolls and draws.

    Args:
        game: the game, for its printed facts.
        facts: gets what the owner has told, by full key.
        settings: ``dice`` and ``draws``, each ``computer`` or ``physical``.
        seed: of the session.
    """

    def __init__(self, game: Game, facts: Callable[[], Mapping[str, str]], settings: Mapping[str, str], seed: str) -> None:
        self._game = game
        self._facts = facts
        self._settings = settings
        self._seed = seed
        self.told: dict[str, str] = {}

    def learn(self, given: Given) -> None:
        """Remember what a reply told, from its very question on; it is stored with the reply."""
        if given.tells:
            self.told[given.tells[0]] = given.tells[1]

    def known(self) -> dict[str, str]:
        """Every printed fact, those of this very action included."""
        return {**self._facts(), **self.told}

    def own(self, request: Request[Any]) -> bool:
        """Whether Companion rolls or draws by default."""
        setting = "dice" if isinstance(request, Roll) else "draws"
        able = not isinstance(request, Draw) or bool(request.contents)
        return able and isinstance(request, Roll | Draw) and self._settings.get(setting, "computer") == "computer"

    def chance(self, request: Request[Any], index: int) -> Given:
        """Companion's own roll or draw: a function of the seed and of the place among the random replies in force.

        Raises:
            Illegal: the cup is empty.
        """
        if isinstance(request, Draw):
            if not request.contents:
                raise Illegal(f"the {request.holder} is empty", rule=request.rule, cure=f"Name the {request.thing} that you drew")
            return Given(seeded_draw(request.contents, self._seed, index), "computer")
        assert isinstance(request, Roll)
        faces = [request.lowest + seeded(self._seed, index, die, request.sides) for die in range(request.count)]
        return Given(faces, "computer")

    def remembered(self, request: Request[Any]) -> Given | None:
        """What is known of printed facts, without a sample of ours."""
        if isinstance(request, Known):
            lead = f"{request.fact}:"
            found = {key[len(lead) :]: value for key, value in self.known().items() if key.startswith(lead)}
            return Given(found, "remembered")
        if isinstance(request, Tell):
            return Given(request.check(request.value), "remembered", (request.fact, request.value))
        if isinstance(request, Printed):
            for value, source in ((self.known().get(request.fact), "remembered"), (self._shipped(request.fact), "rulebook")):
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
        if isinstance(request, Roll | Draw):
            return self.chance(request, index) if self.own(request) else None
        found = self.remembered(request)
        if found is None and isinstance(request, Printed) and request.fallback is not None:
            return Given(request.check(request.fallback), "sample")
        return found

    def typed(self, request: Request[Any], text: str, index: int, source: str, anyway: bool) -> Given:
        """The reply that a text means; an empty one is a bare Enter.

        Raises:
            Unreadable: it means none.
            Illegal: a drawn counter cannot be in the cup, and nobody insisted.
        """
        if not text.strip():
            return self._enter(request, index)
        value = request.read(text)
        if isinstance(request, Draw):
            return Given(value, source, None, drawn(request, value, anyway))
        if isinstance(request, Printed):
            return Given(value, "typed", (request.fact, value))
        return Given(value, source)

    def _enter(self, request: Request[Any], index: int) -> Given:
        if isinstance(request, Roll | Draw):
            return self.chance(request, index)
        if request.suggest is None:
            raise Unreadable(f"'{request.key}' needs an answer", rule=request.rule, cure=request.expects())
        return Given(request.check(request.suggest), "suggested")

    # -- with answers that were brought along ------------------------------------------------------------------

    def supply(self, request: Request[Any], answers: Answers, index: int, anyway: bool, asked: bool = False) -> Given | None:
        """The reply to a question out of all that is there, or None where it must be asked.

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
        if not asked and (found := self.automatic(request, index)):
            return found
        plain = answers.next_plain()
        if plain is not None:
            return self.typed(request, plain, index, "scripted", anyway)
        if found := self.automatic(request, index):
            return found
        if answers.accept and (request.suggest is not None or isinstance(request, Roll | Draw)):
            return self._enter(request, index)
        return None

    def _brought(self, request: Request[Any], answers: Answers, index: int, anyway: bool) -> Given | None:
        """An answer that was brought for this question and no other."""
        text = answers.by_key(request.key)
        if text is not None:
            return self.typed(request, text, index, "scripted", anyway)
        if isinstance(request, Roll):
            faces = answers.faces(request)
            return None if faces is None else Given(faces, "scripted")
        if isinstance(request, Draw) and answers.draws:
            return self.typed(request, answers.draws.pop(0), index, "scripted", anyway)
        return None
