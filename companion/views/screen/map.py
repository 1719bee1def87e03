"""The map as SVG that can be tapped: every space and unit has its id, and what the open question offers can be chosen there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.core.map import AREAS, GRID, HEXES, Map, Space, Stack
from companion.core.position import Piece
from companion.core.requests import AnyRequest, Text
from companion.views import map_text
from companion.views.lines import counted_names, line_texts
from companion.views.map_svg import MapPicture, ShapeForm
from companion.views.plot import svg_text
from companion.views.screen.question import ShownChoice, shown_choices

_FORMS: Mapping[str, ShapeForm] = {
    GRID: ShapeForm(168, 132, 156, 122, 2),
    HEXES: ShapeForm(132, 76, 176, 152, 0),
    AREAS: ShapeForm(196, 152, 164, 122, 16),
}
"""Larger than in a report, so that a finger finds a counter."""

_WIDE, _HIGH, _GAP = 46, 34, 4  # of a counter, and between two
_ROWS = 2
_MARGIN, _TOP = 16, 44


class Target(NamedTuple):
    """What can be chosen on the map: how (see `ShownChoice`), the value, and its text."""

    how: str
    value: str
    label: str

    def attributes(self, name: str) -> str:
        """Return the attributes of an element that chooses it."""
        pressed = ' aria-pressed="false"' if self.how == "toggle" else ""
        label = self.label if name in self.label else f"{name}: {self.label}"
        return f' data-{self.how}="{svg_text(self.value)}"{pressed} tabindex="0" role="button" aria-label="{svg_text(label)}"'


class Targets(NamedTuple):
    """What the open question offers on the map, by space and by name of a unit."""

    spaces: Mapping[str, Target]
    units: Mapping[str, Target]


NO_TARGETS = Targets({}, {})


def targets_of(request: AnyRequest | None, map: Map) -> Targets:
    """Return the choices of a question that are a space of the map or a unit on it."""
    if request is None or request.chance_setting:
        return NO_TARGETS
    names = [name for space in map.spaces.values() for stack in space.stacks for name in stack.names]
    pieces = request.referee.position.pieces if request.referee else {}
    spaces: dict[str, Target] = {}
    units: dict[str, Target] = {}
    for choice in shown_choices(request):
        target = Target(choice.how, choice.value, choice.label)
        space = _space(choice, request, map)
        if space:
            spaces.setdefault(space, target)
        elif name := _unit(choice, pieces, names):
            units.setdefault(name, target)
    return Targets(spaces, units)


def _space(choice: ShownChoice, request: AnyRequest, map: Map) -> str:
    """Return the space that a choice names, in an order also as its goal; "" if it names none."""
    texts = [choice.value, choice.label]
    if isinstance(request, Text) and ">" in choice.value:
        texts.append(choice.value.rpartition(">")[2].strip())
    return next((text for text in texts if text in map.spaces), "")


def _unit(choice: ShownChoice, pieces: Mapping[str, Piece], names: Sequence[str]) -> str:
    """Return the unit on the map that a choice names, which may have its place or state after it; "" if it names none."""
    piece = pieces.get(choice.value)
    texts = (piece.name if piece else choice.value, choice.label)
    exact = next((text for text in texts if text in names), "")
    return exact or next((name for text in texts for name in names if len(text) > 2 and name.startswith(f"{text} ")), "")


def tap_map(map: Map, targets: Targets = NO_TARGETS, around: str = "") -> str:
    """Return the map as SVG without styles, for the style sheet of the page.

    Args:
        map: The map.
        targets: What can be chosen.
        around: The space that was moved to last, which is marked.
    """
    cells = map_text.space_cells(map)
    left, top = (min((cell[axis] for cell in cells.values()), default=0) for axis in (0, 1))
    placed = {name: (x - left, y - top) for name, (x, y) in cells.items()}
    return _TapPicture(map, placed, around, targets).document()


class _TapPicture(MapPicture):
    """A drawing whose spaces and units can be tapped."""

    def __init__(self, map: Map, cells: Mapping[str, tuple[int, int]], place: str, targets: Targets) -> None:
        super().__init__(map, cells, place, _FORMS)
        self.targets = targets

    def document(self) -> str:
        """Return the picture, with the legend at the bottom."""
        key, links = self._legend(), self._links()
        height = self.bottom + 24 * len(key) + _MARGIN
        rows = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="map" data-map="" viewBox="0 0 {self.width:g} {height:g}"'
            f' width="{self.width:g}" height="{height:g}" role="group" aria-label="{svg_text(self.map.title)}">',
            f'<rect class="paper" width="{self.width:g}" height="{height:g}"/>',
            _text(_MARGIN, 28, self.map.title, "head"),
            *(self._link(link) for link in links if self.map.shape != HEXES),
            *(self._space(self.map.spaces[name]) for name in sorted(self.cells, key=lambda name: name == self.place)),
            *(self._link(link) for link in links if self.map.shape == HEXES),
            *key,
            "</svg>",
        ]
        return "\n".join(rows)

    def _space(self, space: Space) -> str:
        """Return a space, then its units: one button must not lie within another."""
        x, y = self._corner(space.name)
        inset = self.form.width / 4 - 10 if self.map.shape == HEXES else 6
        room = int((self.form.width - 2 * inset) / 7)
        target = self.targets.spaces.get(space.name)
        title = space.title if space.title != space.name else ""
        name = f"{space.name} {map_text.ground_sign(space)}".strip()
        about = "; ".join(line_texts([map_text.space_heading(space), *map_text.stack_lines(self.map, space)]))
        shown = f"{name[: room + 2]} {title[:room]}".strip()  # the label has the words that are seen
        button = f' class="legal"{target.attributes(shown)}' if target else ""
        parts = [
            f'<g data-space="{svg_text(space.name)}"{button}>',
            f"<title>{svg_text(about)}</title>",
            self._outline(space),
            _text(x + inset, y + 18, name[: room + 2], "name" if space.source else "faint"),
            _text(x + inset, y + 34, title[:room], "faint") if title else "",
            "</g>",
            *self._units(x + inset, y + 40, self.form.width - 2 * inset, space.stacks),
        ]
        return "".join(parts)

    def _units(self, x: float, y: float, room: float, stacks: Sequence[Stack]) -> Iterator[str]:
        """Yield the counters of a space: first each unit that can be chosen, then what is left of each stack."""
        across = max(int((room + _GAP) // (_WIDE + _GAP)), 1)
        legal = [(stack, name) for stack in stacks for name in dict.fromkeys(stack.names) if name in self.targets.units]
        most = across * _ROWS
        shown, hidden = legal[: most - (len(legal) > most)], {name for _, name in legal[most - (len(legal) > most) :]}
        counters: list[tuple[str, str, str, Target | None]] = [
            (stack.side, _short(name), name, self.targets.units[name]) for stack, name in shown
        ]
        for stack in stacks:
            rest = tuple(name for name in stack.names if name not in self.targets.units or name in hidden)
            if rest and len(counters) < most:
                text = map_text.stack_text(stack._replace(names=rest), self.marks)
                counters.append((stack.side, text, rest[0] if len(rest) == 1 else counted_names(rest), None))
        for index, counter in enumerate(counters):
            left, top = x + index % across * (_WIDE + _GAP), y + index // across * (_HIGH + _GAP)
            yield self._card(f"{left:g} {top:g}", *counter)

    def _card(self, corner: str, side: str, text: str, name: str, target: Target | None) -> str:
        """Return a counter: of a unit that can be chosen, or of a stack."""
        sides = list(self.map.sides)
        kind = map_text.SIDE_TONES[sides.index(side) % len(map_text.SIDE_TONES)] if side in sides else "none"
        label = name if text in name else f"{text}, {name}"  # has the words that are seen
        title = "" if target else f"<title>{svg_text(name)}</title>"  # axe-core takes it for seen too
        unit = f' data-unit="{svg_text(name)}" class="legal"{target.attributes(label)}' if target else ""
        return (
            f'<g transform="translate({corner})"{unit}>{title}'
            f'<rect class="{kind}" width="{_WIDE}" height="{_HIGH}" rx="4"/>'
            f'<text x="{_WIDE // 2}" y="22" class="letter">{svg_text(text)}</text></g>'
        )


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{svg_text(text)}</text>'


_SHORT = 6  # letters on a counter


def _short(name: str) -> str:
    """Return the end of a name, which tells units of one formation apart, as far as a counter has room."""
    if len(name) <= _SHORT:
        return name
    words = name.split()
    ends: Iterable[str] = (" ".join(words[index:]) for index in range(len(words)))
    return next((text for text in ends if len(text) <= _SHORT), name[: _SHORT - 1] + ".")
