"""A made-up section of the map around Nasiriyah, completely known: hexes, hexsides, roads."""

from __future__ import annotations

from typing import Any

from companion.core.hexes import Orientation, neighbours
from tests.games.iraqwar2003.field import operations
from tests.support.table import Table

EVEN = Orientation("even", "top")
HEXES = [f"{column}{row}" for column in range(20, 27) for row in range(28, 37)]
ROADS = ("2130-2230", "2230-2331", "2331-2332", "2332-2333", "2333-2433")
MINOR = ("2231-2232", "2332-2432")
LARGE = ("2331-2431",)
SEA = ("2333-2334",)
TERRAIN = {"2332": "major city, Nasiriyah", "2432": "swamp", "2130": "minor city, Samawah", "2536": "port, Umm Qasr"}


def pairs() -> list[str]:
    """Every hexside of the section."""
    return sorted({"-".join(sorted((number, near))) for number in HEXES for near in neighbours(number, EVEN) if near in HEXES})


def water(pair: str) -> str:
    return "minor" if pair in MINOR else "large" if pair in LARGE else "sea" if pair in SEA else "none"


GROUND: dict[str, str] = {
    "orientation:low": "1421",
    **{f"hex:{number}": TERRAIN.get(number, "plain") for number in HEXES},
    **{f"side:{pair}": water(pair) for pair in pairs()},
    **{f"road:{pair}": "yes" if pair in ROADS else "no" for pair in pairs()},
    "area:kuwait": "3139 3140 3141 3239 3240 3241 3242 3339 3340 3341",
    "area:kdp": "1006 1007 1106 1107",
    "area:puk": "1809 1810 1811",
}

FAR = {"KDP1": "1107", "PUK1": "1810", "173": "3241", "DivArty": "3240", "RCT1": "3240", "7Arm": "3239", "11Av": "3140",
       "Med": "1520", "51M": "1719", "SRG1": "1321", "SRG2": "1321", "SRG3": "1421", "SRGAA": "1421", "PA1": "1515",
       "PA2": "0607", "SF1": "3135", "2/3ID": "3242", "3/3ID": "3242", "1/3ID": "3242", "11D": "1821"}  # fmt: skip
"""The hex of each unit by default."""


def placed(
    side: str = "coalition", facts: dict[str, str] | None = None, stand: dict[str, str] | None = None, **more: Any
) -> Table:
    """A game in the Operation Phase of a side on the known section, with every unit in a hex (``?``: an unknown one)."""
    at = {f"at:{name}": number for name, number in {**FAR, **(stand or {})}.items() if number != "?"}
    return operations(side, {**GROUND, **at, **(facts or {})}, **more)
