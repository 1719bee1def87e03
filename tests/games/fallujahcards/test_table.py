"""The drawn table: the deck, the Target, the hand and the piles [The Piles]."""

from __future__ import annotations

from companion.core.position import Position
from companion.games.fallujahcards.state import DECK
from companion.views.lines import plain_text
from companion.views.map_text import find_space, known_map, map_lines
from tests.support.table import Table, game_of


def drawn(table: Table, place: str = "") -> list[str]:
    map = known_map(table.game, table.position, table.options, {})
    return plain_text(map_lines(map, find_space(map, place, table.game) if place else "")).splitlines()


def test_the_piles_at_the_start() -> None:
    assert [row for row in drawn(Table("fallujahcards", "patrol"))[1:] if row] == [
        "Deck  92                  Seen  empty               Target  empty",
        "Hand  empty",
        "Casualties  empty         Eliminated  empty         Discarded  empty",
    ]


def test_cards_lie_where_play_has_put_them() -> None:
    """A card of the hand by its type and force; of a pile how many of each side; of the deck only how many."""
    table = Table("fallujahcards", "patrol")
    for card in ("Grunts", "Marine Rifle Squad", "Pillbox"):
        table.do("turn", draws=[card])
    shown = "\n".join(drawn(table))

    assert "American: G4, G1" in shown and "Insurgency: i cards" in shown
    assert "Deck  89" in shown and "Hand  2" in shown and "\n G4 G1" in shown
    assert "Casualties  1, force 5" in shown and "\n i" in shown
    assert "  Insurgency  Pillbox P5" in drawn(table, "casu")


def test_the_order_of_the_deck_is_not_shown() -> None:
    table = Table("fallujahcards", "patrol")

    assert table.position.count(DECK) == 92
    assert known_map(table.game, table.position, table.options, {}).spaces["Deck"].stacks == ()


def test_there_is_a_table_without_a_session() -> None:
    assert len(known_map(game_of("fallujahcards"), Position(), {}, {}).spaces) == 7
