"""Contract tests of maps: recorded facts can be read back in every form, and impossible ones are refused."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.map import SHAPES, SOURCES, GameMap
from companion.core.position import Position
from companion.session import facts as fact_files
from companion.session.rule_checks import one_way_neighbours
from companion.testing.fixtures import Sit

LETTERS = "0123456789abcno-,;:|# '\"=>?"


@pytest.fixture
def geography(game: Game) -> GameMap:
    """The map of a game with map facts."""
    if game.map is None or not game.map.columns:
        pytest.skip("no map is told")
    return game.map


@pytest.fixture
def drawn(game: Game) -> GameMap:
    """The map of a game, whether or not its facts are told."""
    if game.map is None:
        pytest.skip("no map is drawn")
    return game.map


def known(game: Game) -> dict[str, str]:
    """The facts of a made-up map and of the example line."""
    geography = game.map
    assert geography is not None
    found = fact_files.practice_facts(game)
    told = {key: value for key, value in found.items() if geography.spaces_of(key)}
    return {**told, **(geography.read_line(geography.example, told) if geography.columns else {})}


def test_the_example_can_be_told(game: Game, geography: GameMap) -> None:
    """The example line contains facts of several kinds."""
    found = geography.read_line(geography.example, {})
    assert found and all(geography.spaces_of(key) for key in found)
    assert {fact.id for fact in map(game.fact, found) if fact} <= {fact.id for fact in game.facts}


@pytest.mark.parametrize("form", ["lines", "table", "sheet"])
def test_what_is_told_comes_back_as_it_was_told(game: Game, geography: GameMap, form: str) -> None:
    facts = known(game)
    if form == "lines":
        back = fact_files.from_lines(game, fact_files.as_form(game, facts), {})
    elif form == "table":
        back = fact_files.read_file(game, fact_files.as_table(game, facts))
    else:
        back = fact_files.from_sheet(game, fact_files.as_sheet(game, facts), {}, "map.csv")
    assert back == facts


def test_each_column_is_of_a_kind_of_printed_fact(geography: GameMap) -> None:
    heads = [geography.space, *(column.name for column in geography.columns)]
    assert len(set(heads)) == len(heads)
    assert all(geography.fact_kind(column).title for column in geography.columns)


def test_a_space_of_which_nothing_is_known_stands_alone_in_the_form(game: Game, geography: GameMap) -> None:
    names = list(geography.form_spaces({}))
    assert fact_files.from_lines(game, "\n".join(names), {}) == {}


def test_no_space_is_a_neighbour_of_itself(game: Game, geography: GameMap) -> None:
    """Every list of other spaces refuses the space itself."""
    facts = known(game)
    for name in geography.form_spaces(facts)[:5]:
        for column in geography.columns:
            cell = dict(zip((one.name for one in geography.columns), geography.cells(name, facts), strict=True))[column.name]
            others = [part for part in cell.replace(";", ",").split(",") if part.strip()]
            if not (column.separator and others):
                continue
            words = others[0].split()
            with pytest.raises(CompanionError):
                geography.read_cell(column, name, " ".join([name, *words[1:]]))


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_typed_is_read_or_refused_in_words(game: Game, geography: GameMap, seed: int) -> None:
    """Random text is read or raises an error with a message."""
    dice = Random(seed)
    text, space = "".join(dice.choices(LETTERS, k=dice.randint(0, 40))), dice.randint(0, 70)
    facts = known(game)
    names = list(geography.form_spaces(facts)) or [""]
    line = f"{names[space % len(names)]} {text}"
    try:
        found = geography.read_line(line, facts)
    except CompanionError as fault:
        assert fault.message
    else:
        for key, value in found.items():
            fact = game.fact(key)
            assert fact is not None and (not value or fact.notation.read(value) == value)
        assert isinstance(game.contradictions({**facts, **found}), list)


def test_the_drawn_map_is_well_formed(game: Game, drawn: GameMap) -> None:
    facts = known(game)
    for told in ({}, facts):
        map = drawn.build(Position(), {}, told, learnt=set(list(told)[:3]))
        assert map.shape in SHAPES and map.title, f"the map needs a title, and a shape of {', '.join(SHAPES)}"
        at = Counter(space.cell for space in map.spaces.values() if space.cell is not None)
        assert [cell for cell, many in at.items() if many > 1] == [], "cells of the map in which two spaces lie"
        wrong = [space.name for space in map.spaces.values() if space.source not in ("", *SOURCES)]
        assert wrong == [], f"spaces whose source is none of {', '.join(SOURCES)}"
        for link in map.links:
            assert link.one != link.other and {link.one, link.other} <= map.spaces.keys(), f"{link} links no two spaces"
            assert link.source in SOURCES, f"the source of {link} is none of {', '.join(SOURCES)}"


def test_neighbours_name_each_other(game: Game) -> None:
    """In tables of neighbours at the top of a module."""
    assert one_way_neighbours(game) == [], "neighbours one way only"


@pytest.mark.parametrize("seed", [1, 2])
def test_each_piece_is_drawn_once(drawn: GameMap, sit: Sit, seed: int) -> None:
    """Every stack belongs to a side of the map, and no piece is in two spaces."""
    player = sit(seed)
    for _ in islice(range(25), 25):
        player.turn()
        map = drawn.build(player.position, player.options, player.facts)
        stacks = [(space.name, stack) for space in map.spaces.values() for stack in space.stacks]
        wrong = [item for item in stacks if item[1].side not in map.sides or not (item[1].names and item[1].letter)]
        assert wrong == [], "stacks without names or letter, or whose side is not among the sides of the map"
        count = sum(len(stack.names) for _, stack in stacks)
        assert count <= len(player.position.pieces), "a piece is drawn twice"
