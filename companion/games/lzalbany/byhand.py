"""What a player puts right by hand: counters as they are written, and what follows from a fact that is told anew."""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from companion.core.charts import Chart
from companion.core.corrections import Corrections, CupContents, NewPiece
from companion.core.errors import Unreadable
from companion.core.position import Piece, Position, Value
from companion.core.procedures import GameOver
from companion.core.text import matching_names
from companion.games.lzalbany.names import CHIT, FRONT, MAP_PRACTICE, OFFICER, POOL, REDUCED_SIDE, UNIT, US, WOUNDED, WOUNDED_SIDE
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r02_map import follow
from companion.games.lzalbany.words.areas import is_area
from companion.games.lzalbany.words.roster import COMPANIES, read_counter, values_of
from companion.games.lzalbany.words.telling import RULES

_UNIT = "new:unit:A/2-7 1 inf 2-3/1-2"


def new_piece(kind: str, text: str, position: Position, organisations: Chart) -> NewPiece:
    """A counter of a company (``A/2-7 1 inf 2-3/1-2``), a Wounded marker, or a chit or flare like another (2.4, 8.2).

    Raises:
        Unreadable: it is no counter of that kind.
    """
    if kind == WOUNDED:
        number = len(position.of_kind(WOUNDED)) + 1
        return NewPiece(text or f"Wounded {number}", {"side": US})
    if kind in (UNIT, OFFICER):
        return _counter(kind, text, position, organisations)
    known = {piece.name: piece for piece in position.of_kind(kind)}
    found = matching_names(text, known)
    if len(found) != 1:
        raise Unreadable(f"'{text}' is no {kind} of the game", rule="5.1", cure=f"You can name {', '.join(known)}")
    return NewPiece(found[0], known[found[0]].values)


def _counter(kind: str, text: str, position: Position, organisations: Chart) -> NewPiece:
    example = _UNIT if kind == UNIT else "new:officer:A/2-7 co officer"
    company = next((one for one in COMPANIES if text.casefold().startswith(f"{one.casefold()} ")), "")
    if not company:
        cure = f"Company, then the counter: {example}. Companies: {', '.join(COMPANIES)}"
        raise Unreadable(f"'{text}' names no company", rule="2.4", cure=cure)
    told = read_counter(text[len(company) :])
    if (told.kind == OFFICER) != (kind == OFFICER):
        raise Unreadable(f"'{told}' is no {kind}", rule="2.4", cure=f"Type it like this: {example}")
    name = told.name(company)
    if any(piece.name == name and piece.kind == kind for piece in position.pieces.values()):
        raise Unreadable(
            f"{name} is in the game already", rule="2.4", cure=f"Move it: companion adjust {name} AREA; other strengths: strength"
        )
    side, group = organisations.text(company, "side"), organisations.text(company, "group")
    values: dict[str, Value] = {**values_of(told, company, side, group), "turn": organisations.number(company, "turn")}
    return NewPiece(name, values)


def follow_fact(game: LzAlbany, kind: str, name: str, value: str) -> bool:
    """What is told of the map (2.2, 7.4, 7.8); False for what is looked up afresh, and for our practice map, which goes by no
    fact.
    """
    if kind not in RULES or game.position.flag(MAP_PRACTICE):
        return False
    follow(game, kind, name, value)
    return True


class Own(Corrections):
    """What can be put right in the words of this game."""

    cups: ClassVar[CupContents] = {POOL: ((CHIT,), "5.1")}

    def face_names(self, piece: Piece) -> tuple[str, ...]:
        """The sides of a counter (2.4, 8.2, 10.4)."""
        return {UNIT: (FRONT, REDUCED_SIDE), OFFICER: (FRONT, WOUNDED_SIDE)}.get(piece.kind, (FRONT,))

    def is_in_play(self, piece: Piece) -> bool:
        return is_area(piece.place)

    def read_new_piece(self, kind: str, text: str, position: Position) -> NewPiece:
        return new_piece(kind, text, position, self.game.tables.charts["organisations"])

    def apply_consequences(self, referee: LzAlbany, why: str) -> None:
        """What the points bring on (4.2, 5.2E)."""
        with suppress(GameOver):
            referee.milestones()

    def apply_fact(self, referee: LzAlbany, kind: str, name: str, value: str) -> bool:
        return follow_fact(referee, kind, name, value)
