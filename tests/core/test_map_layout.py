"""Where the areas of a map are drawn of which only the neighbours are known."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.map_layout import Cell, arrange, cells_between

Links = dict[str, list[str]]


def grid(columns: int, rows: int) -> Links:
    """The links of a chessboard, by names such as ``c1r2``."""
    return {
        f"c{x}r{y}": [
            f"c{x + a}r{y + b}" for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1)) if 0 <= x + a < columns and 0 <= y + b < rows
        ]
        for x in range(columns)
        for y in range(rows)
    }


@st.composite
def maps(draw: st.DrawFn) -> Links:
    """Some spaces and any links between them."""
    names = [f"n{number}" for number in range(draw(st.integers(0, 20)))]
    pairs = draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=40)) if names else []
    links: Links = {name: [] for name in names}
    for one, other in pairs:
        if one != other and other not in links[one]:
            links[one].append(other)
            links[other].append(one)
    return links


def apart(one: Cell, other: Cell) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def long_links(links: Links, cells: dict[str, Cell]) -> int:
    return sum(apart(cells[one], cells[other]) > 1 for one, others in links.items() for other in others) // 2


@settings(deadline=None, max_examples=40)
@given(maps())
def test_every_space_has_a_cell_of_its_own(links: Links) -> None:
    cells = arrange(list(links), links)

    assert list(cells) and set(cells) == set(links) if links else cells == {}
    assert len(set(cells.values())) == len(links)
    assert not links or (min(x for x, _ in cells.values()), min(y for _, y in cells.values())) == (0, 0)


@settings(deadline=None, max_examples=40)
@given(maps())
def test_the_same_map_is_always_drawn_the_same_way(links: Links) -> None:
    assert arrange(list(links), links) == arrange(list(links), {name: list(others) for name, others in links.items()})


@settings(deadline=None, max_examples=40)
@given(
    maps(),
    st.dictionaries(st.sampled_from([f"n{number}" for number in range(8)]), st.tuples(st.integers(-3, 9), st.integers(0, 9))),
)
def test_fixed_spaces_stay(links: Links, fixed: dict[str, Cell]) -> None:
    cells = arrange(list(links), links, fixed)
    taken: set[Cell] = set()
    for name in links:
        if name in fixed and fixed[name] not in taken:
            assert cells[name] == fixed[name]
            taken.add(fixed[name])

    assert set(cells) == set(links)
    assert len(set(cells.values())) == len(links)


def test_chessboard_is_reconstructed() -> None:
    """Every field beside its neighbours, and the first one at the top left."""
    links = grid(5, 4)
    cells = arrange(list(links), links)

    assert long_links(links, cells) == 0
    assert cells["c0r0"] == (0, 0)
    assert {max(x for x, _ in cells.values()), max(y for _, y in cells.values())} == {3, 4}


def test_road_is_straight() -> None:
    links = {"a": ["b"], "b": ["a", "c"], "c": ["b", "d"], "d": ["c"]}

    assert long_links(links, arrange(list(links), links)) == 0


def test_new_space_at_the_edge_moves_no_other() -> None:
    links = grid(4, 3)
    before = arrange(list(links), links)
    after = arrange([*links, "new"], links | {"c3r1": [*links["c3r1"], "new"], "new": ["c3r1"]})

    assert [name for name in links if before[name] != after[name]] == []
    assert apart(after["new"], after["c3r1"]) == 1


def test_unlinked_parts_are_separate() -> None:
    links = {"a": ["b"], "b": ["a"], "c": ["d"], "d": ["c"], "e": []}
    cells = arrange(list(links), links)

    assert apart(cells["a"], cells["b"]) == apart(cells["c"], cells["d"]) == 1
    assert min(apart(cells[one], cells[other]) for one in "ab" for other in "cde") > 1


def test_cells_between_two_spaces() -> None:
    assert cells_between((0, 0), (3, 0)) == [(1, 0), (2, 0)]
    assert cells_between((2, 2), (0, 0)) == [(1, 1)]
    assert cells_between((0, 0), (1, 2)) == cells_between((1, 1), (1, 2)) == []
