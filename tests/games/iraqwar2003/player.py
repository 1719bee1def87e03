"""A player of Iraq War 2003 who answers anything at random, with the made-up set told."""

from __future__ import annotations

from companion.core.requests import Request, Text
from companion.games.iraqwar2003.names import OPTIONAL
from tests.games.iraqwar2003.field import FACTS
from tests.support.random_player import RandomPlayer

_WAYS = ("stay", "plain", "road, road", "from zoc, plain", "river", "city", "plain, zoc", "swamp")


class General(RandomPlayer):
    """Knows the made-up set, and answers a little less wildly than chance: short ways, real groups."""

    def __init__(self, seed: int, **options: str) -> None:
        self.told = dict(FACTS)
        super().__init__("iraqwar2003", "war", seed, **options)

    def answer(self, request: Request[object]) -> object:
        self.facts.update({key: value for key, value in self.told.items() if key not in self.facts})
        if isinstance(request, Text):
            return request.check(self._text(request))
        return super().answer(request)

    def _text(self, request: Text) -> str:
        names = [choice.value for choice in request.legal()]
        chance = self.random.random()
        if request.key == "way":
            return self.random.choice(_WAYS)
        if request.key in ("oos", "excess", "stacked") and chance < 0.8:
            return "none"
        if request.key in ("unit", "units", "attack", "with") and names and chance < 0.85:
            some = self.random.sample(names, min(len(names), 1 if request.key == "unit" or chance < 0.5 else 2))
            return request.notation.read(", ".join(name for name in some if name != "none") or names[0])
        if request.key == "target" and chance < 0.3:
            return "done"
        if request.key in ("group", "support", "counter") and chance < 0.4 and len(names) > 2:
            one, two = self.random.sample([name for name in names if name != "none"], 2)
            return request.notation.read(f"{one}+{two}")
        return self.text(request)


def sit(seed: int, *ways: type, **chosen: str) -> General:
    """A player for that seed: the options in turn, or what is chosen."""
    on = dict.fromkeys(OPTIONAL, "on") if seed % 3 == 0 else {OPTIONAL[seed % len(OPTIONAL)]: "on"}
    options = chosen or {"iraq": "bot" if seed % 2 else "player", **on}
    options.pop("scenario", "")
    player: General = type("Player", (*ways, General), {"TOLD": FACTS})(seed, **options)
    return player
