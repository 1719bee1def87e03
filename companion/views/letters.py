"""Letters of five rows, to be read from across the table."""

from __future__ import annotations

from collections.abc import Sequence

_HIGH = 5
_WRITTEN = (
    "075557 126227 271747 371717 455711 574717 674757 771122 875757 975717 A25755 B65656 C34443 D65556 E74647",
    "F74644 G34553 H55755 I72227 J11152 K55655 L44447 M57755 N65555 O25552 P65644 Q25563 R65655 S34216 T72222",
    "U55557 V55552 W55775 X55255 Y55222 Z71247 +02720 -00700 /11244 .00002 :02020 >42124 ,00024 (12221 )42224",
)
_GLYPHS = {" ": "00000"} | {one[0]: one[1:] for row in _WRITTEN for one in row.split()}
"""Letter -> its rows, each an octal digit whose three bits are its three columns."""


def large_letters(text: str, ink: str = "#") -> list[str]:
    """A text in five rows; what there is no letter for becomes a blank."""
    shapes = [_GLYPHS.get(char, _GLYPHS[" "]) for char in text.upper()]
    return ["  ".join(_row(shape[row], ink) for shape in shapes).rstrip() for row in range(_HIGH)]


def _row(digit: str, ink: str) -> str:
    """Three columns, each two characters wide, as a character is twice as high as it is wide."""
    return "".join(ink * 2 if int(digit) & bit else "  " for bit in (4, 2, 1))


def large_width(text: str) -> int:
    """Characters that a text takes."""
    return max(8 * len(text) - 2, 0)


def large_bands(parts: Sequence[tuple[str, str]], width: int, gap: int = 4) -> list[list[tuple[str, str]]]:
    """Labelled texts on as few bands as they fit on, none broken: each band its labels with their texts."""
    bands: list[list[tuple[str, str]]] = []
    used = 0
    for label, text in parts:
        need = max(large_width(text), len(label))
        if bands and used + gap + need <= width:
            bands[-1].append((label, text))
            used += gap + need
        else:
            bands.append([(label, text)])
            used = need
    return bands
