"""[8.1] Who places hits, asked at the table; and officers who become casualties [10.4]."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.core.dice import summed_rolls
from companion.core.position import Piece
from companion.core.requests import Allot, Choice, Choose, Roll
from companion.core.text import plural
from companion.games.lzalbany.names import INCIDENT, OFFICER, UNIT, WOUNDED
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r08_hits import ELSEWHERE, Placing, Target, place_hits, room_of
from companion.games.lzalbany.words.areas import title
from companion.games.lzalbany.words.counters import enemy, side_of, target_of


def state_text(target: Target) -> str:
    """How a counter stands: ``2 hits``, ``reduced``, ``wounded``."""
    if target.kind == OFFICER:
        return "officer, wounded" if target.hits else "officer"
    return {0: "no hits", 3: "reduced", 4: "wounded marker"}.get(target.hits, plural(target.hits, "hit"))


class TablePlacing(Placing):
    """Asks the side that places a hit.

    Args:
        shooter: the side that fires.
        rule: the step that says who places what.
        cap: the most hits that a unit may have in the end, 0 for no limit.
    """

    def __init__(self, game: LzAlbany, shooter: str, rule: str, cap: int = 0) -> None:
        super().__init__(game.book.wishes, game.ways)
        self.game = game
        self.side = shooter
        self.rule = rule
        self.cap = cap

    async def shooter(self, targets: Sequence[Target], number: int, hits: int, barred: Sequence[Target]) -> int:
        choices = [Choice(target.name, target.name, state_text(target)) for target in targets]
        best, others = targets[self.wishes.shooter(targets)].name, self._others(targets, barred)
        prompt = f"{self.side}: on whom do you place hit 1 of {hits}?"
        request = Choose("first_hit", prompt, self.rule, choices, best, others, "counter there")
        request.implied_reply = best if self._settled(targets) else None
        chosen = await self.game.decide(
            request, self.side, "hit", request.key, targets, auto=True, value=lambda target: target.name
        )
        return self._at(chosen, targets, barred)

    async def owner(self, targets: Sequence[Target], number: int, hits: int, barred: Sequence[Target]) -> int:
        if not self.told:
            request, side = self._hits(targets, number, hits, barred), enemy(self.side)
            named = await self.game.decide(
                request, side, "hit", request.key, targets, auto=True, value=lambda target: [target.name]
            )
            self.told = list(named)
        return self._at(self.told.pop(0), targets, barred)

    def _hits(self, targets: Sequence[Target], number: int, hits: int, barred: Sequence[Target]) -> Allot:
        """Who takes the hits that are left: as many as these targets can take, or fewer, and the rest is asked again."""
        many = min(hits - number + 1, room_of(targets, self.cap))
        which = f"hit {number} of {hits}" if many == 1 else f"hits {number} to {number + many - 1} of {hits}"

        def rows() -> list[tuple[Choice, int]]:
            return [(Choice(one.name, one.name, state_text(one)), one.room(self.cap)) for one in targets]

        prompt = f"{enemy(self.side)}: who takes {which}?{'' if many == 1 else ' (two on one: 2 x NAME)'}"
        others = self._others(targets, barred)
        request = Allot("hit", prompt, self.rule, rows, many, lambda: self.wishes.owners(targets, many, self.cap), others)
        request.implied_reply = request.suggest if self._settled(targets, many) else None
        return request

    def _settled(self, targets: Sequence[Target], many: int = 1) -> bool:
        """Whether nobody is asked who takes so many hits: the player wants it so, or it is all one."""
        return self.game.option("placing") == "suggested" or (many == 1 and self._alike(targets))

    def _alike(self, targets: Sequence[Target]) -> bool:
        """Whether nothing but a label tells the counters from each other: then it is all one which of them is hit."""
        pieces = [self.game.piece(one.id) for one in targets]
        printed = [(dict(piece.values), piece.marks.get(INCIDENT)) for piece in pieces]
        first = targets[0]._replace(id="", name="")
        return first.kind != OFFICER and all(
            one._replace(id="", name="") == first and told == printed[0] for one, told in zip(targets, printed, strict=True)
        )

    def given(self, targets: Sequence[Target], barred: Sequence[Target], mine: bool) -> None:
        for one in barred:
            self.game.skip_question(
                "first_hit" if mine else "hit", self._why_not(one), self.rule, f"It goes to {targets[0].name}"
            )

    @staticmethod
    def _why_not(target: Target) -> str:
        return f"{target.name} ({state_text(target)}) cannot take this hit"

    def _others(self, targets: Sequence[Target], barred: Sequence[Target]) -> list[Choice]:
        closed = [target.name for target in barred]
        return [Choice(name, name) for name in (*closed, *self._elsewhere([*(one.name for one in targets), *closed]))]

    def _at(self, chosen: str, targets: Sequence[Target], barred: Sequence[Target]) -> int:
        """The index of a counter among the targets and the barred; what is none of them is hit where it is."""
        names, closed = [target.name for target in targets], [target.name for target in barred]
        if chosen in names:
            return names.index(chosen)
        if chosen in closed:
            self.game.forbid(self._why_not(barred[closed.index(chosen)]), self.rule, "Choose another counter")
            return len(names) + closed.index(chosen)
        self.game.forbid(f"{chosen} is not there", self.rule, "Choose a counter that is, or say where it is: arrange")
        self._strike(self._elsewhere([*names, *closed])[chosen])
        return ELSEWHERE

    def _elsewhere(self, there: Sequence[str]) -> dict[str, Piece]:
        """The other counters of the victims' side, by name."""
        if self.game.played(self.side) and self.game.played(enemy(self.side)):
            return {}
        pieces = self.game.on_map(enemy(self.side), UNIT, OFFICER, WOUNDED)
        return {piece.name: piece for piece in pieces if piece.name not in there}

    def _strike(self, piece: Piece) -> None:
        before = target_of(piece)
        self.game.apply_hits((before,), (before.struck(),), self.rule, "as the player says")


async def take_hits(
    game: LzAlbany,
    shooter: str,
    targets: Sequence[Piece],
    hits: int,
    rule: str,
    why: str,
    first: Sequence[str] = (),
    cap: int = 0,
) -> int:
    """[8.1] Place hits on counters and let them happen; returns how many found a target."""
    before = tuple(target_of(game.piece(piece.id)) for piece in targets)
    if game.asks:
        after = await place_hits(before, hits, TablePlacing(game, shooter, rule, cap), first, cap)
    else:
        after = game.book.placed(before, hits, tuple(first), cap, game.ways)
    game.apply_hits(before, after, rule, why)
    done = sum(_taken(old, new) for old, new in zip(before, after, strict=True))
    if done < hits:
        game.say(f"{plural(hits - done, 'hit')} too many: nobody is left to take more.", rule)
    return done


def room(targets: Sequence[Piece], cap: int = 0) -> Callable[[], int]:
    """How many hits counters can take in all; worked out only where exact odds ask."""
    return lambda: room_of(map(target_of, targets), cap)


def _taken(old: Target, new: Target | None) -> int:
    if new is not None:
        return new.hits - old.hits
    return old.room(0)


def _face_of(count: int) -> int:
    """Sides of the die that picks one of so many, where a d6 divides evenly it is a d6."""
    return 6 if count in (2, 3, 6) else count


def chosen_by(face: int, count: int) -> int:
    """[7.5(4)] Which of ``count`` a die means: of two 1-3 and 4-6, of three 1-2, 3-4 and 5-6, and so on."""
    return (face - 1) * count // _face_of(count)


async def one_at_random(game: LzAlbany, key: str, what: str, names: Sequence[str], rule: str) -> int:
    """The index of one of several, each as likely; a single one is not rolled for."""
    count = len(names)
    if count <= 1:
        return 0
    if count > _DIE and game.asks:
        return await _two_dice(game, key, what, names, rule)
    sides = _face_of(count)
    span = max(1, sides // count)
    table = ", ".join(f"{at * span + 1}{f'-{(at + 1) * span}' if span > 1 else ''} {name}" for at, name in enumerate(names))
    again = "" if sides == 6 else f" (roll again above {count})"
    (face,) = await Roll(
        key,
        f"Which {what}? {table}{again}",
        rule,
        1,
        sides,
        outcomes=lambda: summed_rolls(1, lambda face: chosen_by(face, count), sides),
    )
    at = chosen_by(face, count)
    game.say(f"Die {face}: it falls on {names[at]}.", rule, f"{what}: {table}")
    return at


_DIE = 6


async def _two_dice(game: LzAlbany, key: str, what: str, names: Sequence[str], rule: str) -> int:
    """The index of one of more than six: two dice in order, like ``11`` to ``66``; a throw beyond the last is made again."""
    table = ", ".join(f"{at // _DIE + 1}{at % _DIE + 1} {name}" for at, name in enumerate(names))
    while True:
        first, second = await Roll(key, f"Which {what}? Two dice in order: {table} (others: roll again)", rule, 2)
        at = _DIE * (first - 1) + second - 1
        if at < len(names):
            game.say(f"Dice {first}{second}: it falls on {names[at]}.", rule, f"{what}: {table}")
            return at


async def casualty_die(game: LzAlbany, officer: Piece, rule: str) -> None:
    """[10.4] One die for one officer: a casualty on a 6."""
    faces = await game.volley("casualty", f"Officer check for {officer.name}: a casualty on 6", rule, 1, 1, "casualty")
    if game.count(faces, "casualty"):
        game.say(f"Officer check for {officer.name}: {faces[0]}, safe on 1-5. CASUALTY.", rule)
        game.wound_officer(officer.id, rule, "officer check")
    else:
        game.say(f"Officer check for {officer.name}: {faces[0]}, safe on 1-5.", rule)


async def officer_check(game: LzAlbany, area: str, sides: Sequence[str], rule: str, each: bool = False) -> None:
    """An officer of these sides in an area, chosen at random, or each of them, may become a casualty."""
    there = [piece for piece in game.position.at(area) if piece.kind == OFFICER and side_of(piece) in sides]
    if not there:
        return
    if each:
        for officer in there:
            await casualty_die(game, officer, rule)
        return
    at = await one_at_random(game, "officer", f"officer in {title(area)}", [piece.name for piece in there], rule)
    await casualty_die(game, there[at], rule)
