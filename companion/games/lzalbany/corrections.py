"""Manual corrections: new counters, and the consequences of facts entered anew."""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from companion.core.charts import Chart
from companion.core.corrections import Corrections, CupContents, NewPiece
from companion.core.errors import Unreadable
from companion.core.position import Piece, Position
from companion.core.procedures import GameOver
from companion.core.text import matching_names
from companion.games.lzalbany import notation, state
from companion.games.lzalbany.areas import FACT_RULES, is_area
from companion.games.lzalbany.referee import AlbanyReferee
from companion.games.lzalbany.rules import r02_map


class AlbanyCorrections(Corrections):
    """The manual corrections of LZ Albany."""

    cups: ClassVar[CupContents] = {state.POOL: ((state.CHIT,), "5.1")}

    def face_names(self, piece: Piece) -> tuple[str, ...]:
        """The sides of a counter (2.4, 8.2, 10.4)."""
        backs: dict[str, str] = {state.UNIT: state.REDUCED_SIDE, state.OFFICER: state.WOUNDED_SIDE}
        back = backs.get(piece.kind)
        return (state.FRONT, back) if back else (state.FRONT,)

    def is_in_play(self, piece: Piece) -> bool:
        return is_area(piece.place)

    def read_new_piece(self, kind: str, text: str, position: Position) -> NewPiece:
        """A counter of a company (``A/2-7 1 inf 2-3/1-2``), a wounded marker, or a chit or flare like another (2.4, 8.2).

        Raises Unreadable.
        """
        if kind == state.WOUNDED:
            number = len(position.of_kind(state.WOUNDED)) + 1
            return NewPiece(text or f"Wounded {number}", {"side": state.US})
        if kind in (state.UNIT, state.OFFICER):
            return _new_counter(kind, text, position, self.game.tables.charts["organisations"])
        known = {piece.name: piece for piece in position.of_kind(kind)}
        names = matching_names(text, known)
        if len(names) != 1:
            raise Unreadable(f"'{text}' is no {kind} of the game", rule="5.1", cure=f"You can name {', '.join(known)}")
        return NewPiece(names[0], known[names[0]].values)

    def apply_consequences(self, referee: AlbanyReferee, why: str) -> None:
        """The consequences of points (4.2, 5.2E)."""
        with suppress(GameOver):
            referee.check_milestones()

    def apply_fact(self, referee: AlbanyReferee, kind: str, name: str, value: str) -> bool:
        """Store a new map fact (2.2, 7.4, 7.8) on the position; False for other facts and on a practice map."""
        if kind not in FACT_RULES or referee.position.flag(state.MAP_PRACTICE):
            return False
        r02_map.record_fact(referee, kind, name, value)
        return True


def _new_counter(kind: str, text: str, position: Position, organisations: Chart) -> NewPiece:
    example = "new:unit:A/2-7 1 inf 2-3/1-2" if kind == state.UNIT else "new:officer:A/2-7 co officer"
    company = next((name for name in notation.COMPANIES if text.casefold().startswith(f"{name.casefold()} ")), "")
    if not company:
        cure = f"Company, then the counter: {example}. Companies: {', '.join(notation.COMPANIES)}"
        raise Unreadable(f"'{text}' names no company", rule="2.4", cure=cure)
    counter = notation.read_counter(text[len(company) :])
    if (counter.type == state.OFFICER) != (kind == state.OFFICER):
        raise Unreadable(f"'{counter}' is no {kind}", rule="2.4", cure=f"Type it like this: {example}")
    name = counter.name(company)
    if any(piece.name == name and piece.kind == kind for piece in position.pieces.values()):
        cure = f"Move it: companion adjust {name} AREA; other strengths: strength"
        raise Unreadable(f"{name} is in the game already", rule="2.4", cure=cure)
    side, group = organisations.text(company, "side"), organisations.text(company, "group")
    values = notation.values_of(counter, company, side, group)
    return NewPiece(name, {**values, "turn": organisations.number(company, "turn")})
