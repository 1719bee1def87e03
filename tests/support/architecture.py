"""Draw the parts of the package and their imports: ``python -m tests.support.architecture --write``.

Boxes are the parts with their files; an arrow says how many files of a part import another part. Below is the way of one answer
through the parts, as `companion/docs/architecture.md` describes it.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from tests.house.source import nodes_of

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "companion" / "docs" / "screens" / "architecture.svg"


class Part(NamedTuple):
    """A folder of the package."""

    name: str
    text: str


PARTS = (
    Part("testing", "contract tests for authors of games"),
    Part("cli", "commands, the prompt, serve"),
    Part("api", "companion.api for programs in Python"),
    Part("views", "positions and results as text, SVG, HTML, JSON"),
    Part("session", "archive, entries, undo, simulation, tables"),
    Part("games", "the rules and the planners of each game"),
    Part("core", "values, requests, dice, odds; standard library only"),
)
"""From the top layer to the bottom; each may import only from those below it."""
LEFT, TOP, WIDTH, HEIGHT, GAP = 30, 90, 360, 52, 22
STEPS = (
    "typed line",
    "cli: Answers",
    "core: ReplyResolver",
    "games: procedure",
    "core: Events",
    "session: commit",
    "views: lines",
)


def part_of(module: str) -> str:
    """The part that a module of the package belongs to; empty for others."""
    names = module.split(".")
    return names[1] if names[0] == "companion" and len(names) > 1 and names[1] in {part.name for part in PARTS} else ""


def imported_parts(path: Path) -> set[str]:
    """The parts that a file imports, those inside functions too."""
    parts = set()
    for node in nodes_of(path):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [f"{node.module}.{alias.name}" for alias in node.names] if isinstance(node, ast.ImportFrom) else []
        parts |= {part_of(name) for name in names} - {""}
    return parts


def arrows() -> Counter[tuple[str, str]]:
    """(importing part, imported part) -> how many files."""
    counts: Counter[tuple[str, str]] = Counter()
    for part in PARTS:
        for path in (ROOT / "companion" / part.name).rglob("*.py"):
            counts.update((part.name, other) for other in imported_parts(path) if other != part.name)
    return counts


def drawn() -> str:
    """The picture as SVG: the parts from top to bottom, each import as an arc on the right."""
    rows = {part.name: index for index, part in enumerate(PARTS)}
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 740" font-family="sans-serif" font-size="13">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0 8 4 0 8Z" fill="#567"/></marker></defs>',
        '<rect width="800" height="740" fill="#fff"/>',
        '<text x="30" y="40" font-size="18" font-weight="bold">The parts of Companion</text>',
        '<text x="30" y="66" fill="#444">An arrow points to an imported part; its number is how many files import it.</text>',
    ]
    for (name, other), count in sorted(arrows().items()):
        lines += arc(rows[name], rows[other], count)
    for index, part in enumerate(PARTS):
        lines += box(part, TOP + index * (HEIGHT + GAP))
    lines.append('<text x="30" y="645" font-weight="bold">The way of one answer</text>')
    for index, step in enumerate(STEPS):
        x = 30 + 108 * index
        lines.append(f'<rect x="{x}" y="660" width="98" height="44" rx="6" fill="#f4f6f8" stroke="#567"/>')
        head, _, rest = step.partition(": ")
        lines.append(f'<text x="{x + 49}" y="{678 if rest else 687}" font-size="11" text-anchor="middle">{head}</text>')
        lines += [f'<text x="{x + 49}" y="695" font-size="10" text-anchor="middle">{rest}</text>'] * bool(rest)
        if index:
            lines.append(f'<line x1="{x - 10}" y1="682" x2="{x}" y2="682" stroke="#567" marker-end="url(#tip)"/>')
    return "\n".join([*lines, "</svg>", ""])


def box(part: Part, y: int) -> list[str]:
    files = len(list((ROOT / "companion" / part.name).rglob("*.py")))
    return [
        f'<rect x="{LEFT}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#eaf0f6" stroke="#345"/>',
        f'<text x="{LEFT + 14}" y="{y + 22}" font-size="15" font-weight="bold">{part.name}</text>',
        f'<text x="{LEFT + WIDTH - 14}" y="{y + 22}" font-size="11" fill="#555" text-anchor="end">{files} files</text>',
        f'<text x="{LEFT + 14}" y="{y + 42}">{part.text}</text>',
    ]


def arc(start: int, end: int, count: int) -> list[str]:
    """An arc from a row to a row below it; the farther they are apart, the wider."""
    apart = end - start
    edge, reach = LEFT + WIDTH, 46 * apart
    y1 = TOP + start * (HEIGHT + GAP) + HEIGHT // 2 + 4 * apart - 8
    y2 = TOP + end * (HEIGHT + GAP) + HEIGHT // 2 - 4 * apart + 4
    path = f"M{edge} {y1} C{edge + reach} {y1} {edge + reach} {y2} {edge} {y2}"
    x, y = edge + reach * 3 // 4 + 3, (y1 + y2) // 2 + 4
    return [
        f'<path d="{path}" fill="none" stroke="#567" marker-end="url(#tip)"/>',
        f'<text x="{x}" y="{y}" font-size="11" fill="#234">{count}</text>',
    ]


def main(arguments: list[str]) -> None:
    if "--write" in arguments:
        PICTURE.write_text(drawn(), encoding="utf-8")
    else:
        sys.stdout.write(drawn())


if __name__ == "__main__":
    main(sys.argv[1:])
