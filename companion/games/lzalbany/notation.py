"""Notations of LZ Albany: counters [2.4], orders, results of the Choi Oi Table [3.5], printed facts, and phrases of the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache

from companion.core.dice import faces_text
from companion.core.errors import Ambiguous, Miscounted, Unreadable
from companion.core.game import Fact
from companion.core.named_tuple import NamedTuple
from companion.core.notation import DIGITS, Notation
from companion.core.position import Piece, Value
from companion.core.requests import Text
from companion.core.text import clean, matching_names, pick_name, plural
from companion.core.text import normalised as _normalised
from companion.games.lzalbany import state
from companion.games.lzalbany.areas import BESIDE, GROUND, IN_RANGE, LIST, SIGHT, START

NONE = "none"
loose = lru_cache(maxsize=4096)(_normalised)

COUNTER_TYPES = ("inf", "hmg", "mortar", "artillery", "officer")
COMPANIES = (
    *("A/2-7", "C/2-7", "D/2-7", "US senior", "B/2-7", "US artillery", "A/1-5", "B/1-5"),
    *("1/1/33", "Mtr/1/33", "HQ/1/33", "6/8/66", "7/8/66", "8/8/66", "NVA senior", "10/8/66", "HQ/8/66"),
)
SENIORS = ("US senior", "NVA senior")
COUNTER_EXAMPLE = "1 inf 2-3/1-2"
EXAMPLE = f"{COUNTER_EXAMPLE}, mtr mortar 1-1/1-1, co officer"


class Counter(NamedTuple):
    """A printed counter: fire and melee strength at full strength and reduced; officers have none."""

    label: str
    type: str
    fire: int = 0
    melee: int = 0
    back_fire: int = 0
    back_melee: int = 0

    def __str__(self) -> str:
        if self.type == "officer":
            return f"{self.label} officer"
        return f"{self.label} {self.type} {self.fire}-{self.melee}/{self.back_fire}-{self.back_melee}"

    def name(self, company: str) -> str:
        """The name that the player types: ``1/A/2-7``; the label alone for a senior officer."""
        if company in SENIORS:
            return self.label
        return f"{self.label}/Art" if company == "US artillery" else f"{self.label}/{company}"


def _strengths(text: str) -> tuple[int, int]:
    fire, dash, melee = text.partition("-")
    if not dash or not fire.isdecimal() or not melee.isdecimal() or max(int(fire), int(melee)) > 12:
        cure = f"Type it like this: {COUNTER_EXAMPLE} (fire-melee strength, reduced after the slash)"
        raise Unreadable(f"'{clean(text)}' is not fire-melee", rule="2.4", cure=cure)
    return int(fire), int(melee)


def read_counter(text: str) -> Counter:
    """Read ``1 inf 2-3/1-2`` or ``co officer``. Raises Unreadable."""
    words = clean(text).split()
    if len(words) < 2:
        cure = f"Type it like this: {COUNTER_EXAMPLE}"
        raise Unreadable(f"'{clean(text)}' lacks a part: label, kind, strengths", rule="2.4", cure=cure)
    kind = pick_name(words[1], COUNTER_TYPES, "kind of counter")
    label = words[0][:12]
    if any(ch in label for ch in ">;,"):
        raise Unreadable(f"'{clean(label)}' cannot be a label", rule="2.4")
    if kind == "officer":
        return Counter(label, kind)
    front, slash, back = (words[2] if len(words) > 2 else "").partition("/")
    if len(words) != 3 or not slash:
        cure = f"Type it like this: {COUNTER_EXAMPLE}"
        raise Unreadable(f"'{clean(text)}' needs both sides of the counter", rule="2.4", cure=cure)
    return Counter(label, kind, *_strengths(front), *_strengths(back))


def read_company(text: str) -> list[Counter]:
    """Read all counters of a company. Raises Unreadable, also for two counters with one label."""
    counters = [read_counter(part) for part in text.split(",") if part.strip()]
    labels = [counter.label.casefold() for counter in counters]
    if not counters or len(counters) > 12 or len(set(labels)) != len(labels):
        raise Unreadable("a company has 1 to 12 counters, each with a label of its own", rule="2.4", cure=f"Such as: {EXAMPLE}")
    return counters


COMPANY = Notation("counters of a company", EXAMPLE, lambda text: ", ".join(map(str, read_company(text))))
COUNTER = Notation("counter", COUNTER_EXAMPLE, lambda text: str(read_counter(text)))


def values_of(counter: Counter, company: str, side: str, group: str) -> dict[str, Value]:
    """The values of the piece that represents a counter."""
    values: dict[str, Value] = {"side": side, "company": company, "group": group, "type": counter.type}
    if counter.type == "officer":
        return {**values, "senior": company in SENIORS}
    strengths = {"fire": counter.fire, "melee": counter.melee, "back fire": counter.back_fire, "back melee": counter.back_melee}
    return {**values, **strengths}


def read_gunship(text: str) -> str:
    """Read ``4/2``: the fire strength of a gunship, full and damaged. Raises Unreadable."""
    full, slash, damaged = clean(text).replace(" ", "").partition("/")
    if not slash or not full.isdecimal() or not damaged.isdecimal() or not 0 <= int(damaged) <= int(full) <= 12:
        raise Unreadable(f"'{clean(text)}' is not the strength of a gunship", rule="7.6(3)", cure="Type it like this: 4/2")
    return f"{int(full)}/{int(damaged)}"


GUNSHIP = Notation("gunship", "4/2", read_gunship, words=(*DIGITS, "/"), between="")

ReadPlace = Callable[[str], str]


class Order(NamedTuple):
    """A counter and its destination."""

    piece: Piece
    to: str


_REST = ("all", "rest")
"""All counters that are not named before."""


class _Selection:
    def __init__(
        self, pieces: Sequence[Piece], apart: Sequence[str], names: Mapping[str, Sequence[Piece]], places: Mapping[str, str]
    ) -> None:
        self.left = {piece.id: piece for piece in pieces}
        self.apart = apart
        self.names = names
        self.places = places

    def take(self, word: str) -> list[Piece]:
        selected = self._selected(word)
        for piece in selected:
            del self.left[piece.id]
        return selected

    def _selected(self, text: str) -> list[Piece]:
        word = loose(text)
        named = self.names.get(word)
        if named:
            piece = next((piece for piece in named if piece.id in self.left), None)
            if piece is None:
                raise Miscounted(f"{named[0].name} is named twice", rule="6.2")
            return [piece]
        common = [piece for piece in self.left.values() if piece.id not in self.apart]
        if word in _REST:
            return common
        place = self.places.get(word)
        stack = [piece for piece in common if piece.place == place]
        if stack:
            return stack
        company = self._company(word, common)
        if company:
            return [piece for piece in common if state.company_of(piece) == company]
        return [self._by_prefix(text)]

    @staticmethod
    def _company(word: str, pieces: Sequence[Piece]) -> str:
        companies = list(dict.fromkeys(state.company_of(piece) for piece in pieces if state.company_of(piece)))
        short = [name for name in companies if loose(name).partition("/")[0] == word] if len(companies) > 1 else []
        named = [name for name in companies if loose(name) == word] or short
        return named[0] if len(named) == 1 else ""

    def _by_prefix(self, text: str) -> Piece:
        pieces = list(self.left.values())
        names = matching_names(text, [piece.name for piece in pieces])
        if len(names) > 1:
            raise Ambiguous(text, names)
        if names:
            return next(piece for piece in pieces if piece.name == names[0])
        taken = matching_names(text, [named[0].name for named in self.names.values()])
        if len(taken) == 1:
            raise Miscounted(f"{taken[0]} is named twice", rule="6.2")
        shown = ", ".join(piece.name for piece in pieces[:10])
        cure = f"You can name {shown}" if shown else "Nobody else can be named"
        error = Unreadable(f"no counter '{clean(text)}' can be ordered", rule="6.2", cure=cure)
        error.text = clean(text)
        raise error


def _by_place(orders: Sequence[Order]) -> dict[str, list[Order]]:
    places: dict[str, list[Order]] = {}
    for order in orders:
        places.setdefault(order.to, []).append(order)
    return places


def orders_text(orders: Sequence[Order]) -> str:
    """Orders in normal form: full names, one part for each destination."""
    places = _by_place(orders).items()
    return "; ".join([f"{' '.join([order.piece.name for order in stack])} > {place}" for place, stack in places]) or NONE


class AreasRequest(Text):
    """Asks for areas and names those that are possible; they are no choices, since any area can be typed."""

    __slots__ = ("possible",)
    possible: Callable[[], Sequence[str]]

    @property
    def example(self) -> str:
        return next(iter(self.possible()), super().example)

    def hint(self) -> str:
        return f"Possible: {' '.join(self.possible())}" if self.possible() else ""


_LISTED_ORDERS = 12
"""The most orders that a question lists; of more it shows the goals of each stack."""


class OrderRequest(Text):
    """Asks who goes where.

    A choice is an area for all counters, or the order of one stack. An answer can join several orders, also of single counters.
    """

    __slots__ = ()

    def _goals(self) -> dict[str, list[str]]:
        """The listed goals of each stack."""
        goals: dict[str, list[str]] = {}
        for who, arrow, to in (choice.value.partition(" > ") for choice in self.legal_choices()):
            if arrow:
                goals.setdefault(who, []).append(to)
        return goals

    @property
    def example(self) -> str:
        """The first orders of two stacks on the list, which shows how orders are joined."""
        orders = [f"{who} > {goals[0]}" for who, goals in self._goals().items()]
        return "; ".join(orders[:2]) or super().example

    def hint(self) -> str:
        """The goals of each stack, if the list of orders is too long to be shown."""
        is_listed = len(self.legal_choices()) <= _LISTED_ORDERS
        return "" if is_listed else "; ".join(f"{who} > {' '.join(goals)}" for who, goals in self._goals().items())

    def expects(self) -> str:
        areas = [choice.value for choice in self.legal_choices() if ">" not in choice.value and choice.value != NONE]
        orders = orders_of(self.notation)
        if orders is None or len(areas) < 2 or len(orders.pieces) < 2:
            return super().expects()
        return f"One area for all, or apart: {orders.pieces[0].name.partition('/')[0]} > {areas[0]}; rest > {areas[1]}"

    def read(self, text: str) -> str:
        try:
            return super().read(text)
        except Unreadable as error:
            if not error.cure or (">" not in text and (self.legal_choices() or self.suggest)):
                error.cure = self.expects()
            raise


def orders_of(notation: Notation) -> Orders | None:
    """The orders that a notation reads; None if it reads something else."""
    reader = getattr(notation.read, "__self__", None)
    return reader if isinstance(reader, Orders) else None


class Orders:
    """Reads who goes where from one line: ``b3 > b4; 1/A mtr/A > c2; rest > albany``.

    Before the arrow: counters by unique prefix, a company, an area (all counters there that may go), ``all`` or ``rest``; after
    it an area. Parts are separated by semicolons or commas. A text without an arrow sends all counters to an area if there is a
    `home`, the example of a destination. Only their own names select the counters `apart`. Each text is parsed once.
    """

    def __init__(self, pieces: Sequence[Piece], place: ReadPlace, home: str = "", apart: Sequence[str] = ()) -> None:
        self.pieces = pieces
        self.apart = apart
        self._place = place
        self._home = home
        self._parsed: dict[str, list[Order]] = {}

    @property
    def notation(self) -> Notation:
        """The notation of these orders."""
        example = self._home or f"{self.pieces[0].name if self.pieces else '1/A/2-7'} > b4; rest > c2"
        return Notation("orders", example, self._normal)

    def read(self, text: str) -> list[Order]:
        """The orders of a text, each counter at most once. Raises Unreadable, or Ambiguous: a word fits several counters."""
        if text not in self._parsed:
            self._parsed[text] = self._parse(text)
        return self._parsed[text]

    def _parse(self, text: str) -> list[Order]:
        if text.strip().casefold() in ("", "-", NONE):
            return []
        if self._home and ">" not in text:
            return [Order(piece, self._place(text)) for piece in self.pieces]
        orders: list[Order] = []
        places = {loose(place): place for place in dict.fromkeys([piece.place for piece in self.pieces])}
        selection = _Selection(self.pieces, self.apart, self._names, places)
        parts = [part for item in text.replace(",", ";").split(";") if (part := item.strip())]
        for part in parts:
            who, arrow, to = part.partition(">")
            if not arrow or not to.strip() or not who.strip():
                raise Unreadable(f"'{clean(part)}' does not say who goes where", rule="6.2")
            goal = self._place(to.strip())
            for word in who.split():
                taken = selection.take(word)
                if loose(word) in _REST and not taken:
                    without = "; ".join(clean(other) for other in parts if other != part) or NONE
                    raise Miscounted(f"nobody is left for '{clean(part)}'", rule="6.2", cure=f"Type it like this: {without}")
                orders += [Order(piece, goal) for piece in taken]
        return orders

    @cached_property
    def _names(self) -> dict[str, list[Piece]]:
        names: dict[str, list[Piece]] = {}
        for piece in self.pieces:
            names.setdefault(loose(piece.name), []).append(piece)
        return names

    def _normal(self, text: str) -> str:
        return self.text(self.read(text))

    def text(self, orders: Sequence[Order]) -> str:
        """Orders of these counters in normal form."""
        normal = orders_text(orders)
        if normal not in self._parsed and self._is_unambiguous(orders):
            self._parsed[normal] = [order for stack in _by_place(orders).values() for order in stack]
        return normal

    def _is_unambiguous(self, orders: Sequence[Order]) -> bool:
        names = " ".join([order.piece.name for order in orders])
        return (
            len(self._names) == len(self.pieces)
            and len(names.split()) == len(orders)
            and not any(mark in names for mark in ",;>")
            and all(self._place(place) == place for place in _by_place(orders))
        )


EFFECT_KINDS = ("none", "nofire", "nomove", "nothing", "hit", "rally", "casualty", "move", "other")
EFFECT_MARKERS = {"nofire": state.NO_FIRE, "nomove": state.NO_MOVE, "nothing": state.NOTHING}
EFFECT_SCOPES = ("unit", "area")
MOST_HITS = 6


class Effect(NamedTuple):
    """[3.5] A result of the Choi Oi Table, as the owner enters it.

    The kinds: none; nofire, nomove, nothing (incident markers); hit, rally (hits on or off); casualty (an officer); move (an
    extra move); other (see `text`, the owner's short words). The scope is one unit of the chosen area, or all of them.
    """

    kind: str
    scope: str = "unit"
    number: int = 1
    text: str = ""

    def __str__(self) -> str:
        words = [self.kind]
        if self.kind not in ("none", "other", "casualty", "move"):
            words.append(self.scope)
        if self.kind in ("hit", "rally") and self.number != 1:
            words.append(str(self.number))
        return " ".join(words) + (f": {self.text}" if self.text else "")

    @property
    def words(self) -> str:
        """The result as a phrase of the log."""
        who = "a platoon" if self.scope == "unit" else "each platoon"
        hits = plural(self.number, "hit")
        phrases = {
            "none": "nothing happens",
            "nofire": f"{who} may not fire",
            "nomove": f"{who} may not move",
            "nothing": f"{who} may neither fire nor move",
            "hit": f"{who} takes {hits}",
            "rally": f"{who} recovers {hits}",
            "casualty": "an officer is checked",
            "move": "an extra move",
        }
        return phrases.get(self.kind, "as the table says") + (f" ({self.text})" if self.text else "")


def read_effect(text: str) -> Effect:
    """Read ``nofire unit``, ``hit area 2: mortar shells`` or ``other: draw again``. Raises Unreadable."""
    head, _, note = clean(text).partition(":")
    words = head.split()
    if not words:
        raise Unreadable("a result is empty", rule="3.5", cure="Type it like this: nofire unit, or other: in your words")
    kind = pick_name(words[0], EFFECT_KINDS, "kind of result")
    scope, number = "unit", 1
    for word in words[1:]:
        if word.isdecimal() and 1 <= int(word) <= MOST_HITS:
            number = int(word)
        else:
            scope = pick_name(word, EFFECT_SCOPES, "scope of a result")
    if kind == "other" and not note.strip():
        raise Unreadable("say what the table says", rule="3.5", cure="Type it like this: other: in your words")
    return Effect(kind, scope, number, note.strip()[:120])


EFFECT = Notation(
    "result",
    "nofire unit",
    lambda text: str(read_effect(text)),
    words=(*EFFECT_KINDS, *EFFECT_SCOPES, *map(str, range(1, MOST_HITS + 1))),
    between=" ",
)

_NO_ACTION = ("none", "done", "no", "stay")
"""Names of choices that do nothing."""


def decision_text(words: Mapping[str, Mapping[str, str]], side: str, decision: str, name: str, is_proposal: bool = False) -> str:
    """The sentence that announces a decision of the opponent: ``The NVA aims at d2.``

    `words` are those of ``ai.toml``, `decision` the kind of decision or the key of its question, `name` the choice in words.
    """
    kind, _, area = name.partition(" ")
    if name in _NO_ACTION:
        phrase = words["refusals"].get(decision, name)
    elif decision == "combat" and kind in words["fights"]:
        phrase = words["fights"][kind].format(area)
    elif decision == "dustoff":
        phrase = words["dust off"].get(name, name)
    else:
        phrase = words["phrases"].get(decision, "chooses {}").format(name)
    return f"{'Proposal: the' if is_proposal else 'The'} {side} {phrase}."


def hits_text(hits: int) -> str:
    """The number of hits in words.

    >>> hits_text(0), hits_text(1), hits_text(4)
    ('no hit', '1 HIT', '4 HITS')
    """
    return plural(hits, "HIT", "HITS") if hits else "no hit"


def volley_text(who: str, faces: Sequence[int], hits: int, where: str = "") -> str:
    """A line with the faces rolled, the number needed and the hits; without `who` it continues the line before.

    >>> volley_text("Bombs on d2", (6, 1, 6), 2), volley_text("", (1, 2), 0, "d2")
    ('Bombs on d2: 6 1 6, hits on 6. 2 HITS.', '1 2, hits on 6. No hit on d2.')
    """
    rolled = f"{faces_text(faces)}, hits on 6. " if faces else "no dice. "
    verdict = hits_text(hits)
    return f"{who}{': ' if who else ''}{rolled}{verdict[0].upper()}{verdict[1:]}{f' on {where}' if where else ''}."


_CHOI_OI_ROLLS = tuple(f"{side}-{face}" for side in ("us", "nva") for face in range(1, 7))

FACTS = (
    Fact("roster", "Counters of each company: label, kind, fire-melee, after a slash reduced", "2.4", COMPANY, COMPANIES),
    Fact("gunship", "Fire strength of a gunship, full and damaged", "7.6(3)", GUNSHIP, single=True),
    Fact("choi", "Choi Oi Table: result by side and die", "3.5", EFFECT, _CHOI_OI_ROLLS),
    Fact("area", "Areas by your own names: terrain, and edge or east", "2.2", GROUND),
    Fact("next", "The areas next to an area", "2.2", LIST),
    Fact("los", "Whether two areas have a line of sight", "7.8", SIGHT),
    Fact("range", "Whether two areas are within six areas of each other", "7.4", IN_RANGE),
    Fact("beside", "Whether two areas are adjacent, if neither has its full list of neighbours", "6.2", BESIDE),
    Fact("start", "The circle of an area, 1 or 2, green ('us') or tan ('nva'), or its green dot", "3.2", START),
)
