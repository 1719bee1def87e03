"""Text helpers: unique prefixes, lists, labels, numbers in words, text without control characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import count

from companion.core.errors import Ambiguous, Misspelt, Unreadable

_LOOSE = str.maketrans({"_": " ", "-": " "})


def clean(text: str) -> str:
    """Remove control characters, so that a name can neither move the cursor nor colour the screen.

    >>> clean("Alpha\x1b[31m")
    'Alpha [31m'
    """
    plain = text if text.isprintable() else "".join(ch if ch.isprintable() else " " for ch in text)
    return plain.strip()


@lru_cache(maxsize=4096)
def normalised(text: str) -> str:
    """The form in which names are compared: no case, hyphens and underscores as spaces."""
    return " ".join(text.casefold().translate(_LOOSE).split())


def matching_names(text: str, names: Iterable[str]) -> list[str]:
    """The names that the text may mean: an exact match alone, else prefixes, else the one end, else starts of later words.

    A number is never the prefix of a longer one.

    >>> names = ["Sniper", "Sniper Team", "Air Strike"]
    >>> matching_names("sniper", names), matching_names("sn", names), matching_names("str", names)
    (['Sniper'], ['Sniper', 'Sniper Team'], ['Air Strike'])
    >>> matching_names("sn", ["USMC SN", "USMC SN2"])
    ['USMC SN']
    >>> matching_names("1", ["12", "1/8"]), matching_names("squad 1", ["Squad 10"])
    (['1/8'], [])
    """
    pool = names if isinstance(names, dict) else dict.fromkeys(names)
    if text in pool:
        return [text]
    wanted = normalised(text)
    forms = [(name, form) for name in pool if wanted in (form := normalised(name))]  # mostly none: lists try their numbers
    exact = [name for name, form in forms if form == wanted]
    if exact or not wanted:
        return exact
    starts = [(name, form) for name, form in forms if form.startswith(wanted)]
    ends = [name for name, form in forms if form.endswith(f" {wanted}")]
    if len(ends) == 1 and not starts and not wanted.isdecimal():
        return ends
    matches = starts or [(name, form) for name, form in forms if f" {wanted}" in f" {form}"]
    return [name for name, form in matches if not (wanted[-1].isdecimal() and _cut(wanted, form))]


def _cut(wanted: str, name: str) -> bool:
    """True if the words occur in the name only in front of another digit."""
    rest = f" {name} ".split(f" {wanted}")[1:]
    return all(text[:1].isdecimal() for text in rest)


@lru_cache(maxsize=4096)
def natural_key(name: str) -> tuple[tuple[int, str], ...]:
    """A sort key that orders numbers within names by value.

    >>> sorted(["Squad 10", "Squad 2", "B-1"], key=natural_key)
    ['B-1', 'Squad 2', 'Squad 10']
    """
    parts = "".join(char if char.isdecimal() else f" {char} " for char in normalised(name)[:200]).split()
    return tuple([(int(part), "") if part.isdecimal() else (10**9, part) for part in parts])


def pick_name(text: str, names: Sequence[str], what: str, *, cure: str = "") -> str:
    """The one name that the text means. Raises Unreadable: no name fits; Ambiguous: several names fit."""
    matches = matching_names(text, names)
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise Ambiguous(text, matches)
    raise no_match(text, what, names, cure)


def no_match(text: str, what: str, names: Sequence[str], cure: str = "") -> Unreadable:
    """The error that no name fits, with similar names or the possible ones."""
    near = similar_names(text, names)
    listed = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
    there = f"Did you mean {' or '.join(near)}?" if near else f"You can name: {listed}" if names else "There is none"
    message = f"no {what} '{clean(text)}'"
    error = Misspelt(message, clean(text), near, cure or there) if near else Unreadable(message, cure=cure or there)
    error.text = clean(text)
    return error


def similar_names(text: str, names: Iterable[str]) -> list[str]:
    """Up to three names that may have been misspelt, the most similar first; none for a number.

    >>> similar_names("rocet", ["Rocket Attacks", "Mortars", "Raid"]), similar_names("x", ["y"])
    (['Rocket Attacks'], [])
    >>> similar_names("aer", ["Iraqi 36C", "Air Strike (3)"])
    ['Air Strike (3)']
    """
    if text.strip().isdecimal():
        return []
    from difflib import get_close_matches

    whole = {normalised(name): name for name in names}
    forms = whole | {word: name for form, name in whole.items() for word in form.split() if word not in whole}
    wanted = normalised(text)[:40]
    matches = get_close_matches(wanted, list(forms), 6, 0.7 if len(wanted) > 3 else 0.6)  # one letter of three makes a third
    return list(dict.fromkeys(forms[form] for form in matches))[:3]


def misspelt_name(word: str, names: Iterable[str]) -> str:
    """The short name that a word misspells; "" if none, or if the word is one of them.

    >>> misspelt_name("watr", ["msr", "water"]), misspelt_name("mrs", ["msr", "water"]), misspelt_name("Ridge", ["bridge"])
    ('water', 'msr', '')
    """
    from difflib import SequenceMatcher

    plain = normalised(word)
    for name in names:
        near = SequenceMatcher(None, plain, name).ratio() >= 0.8 or sorted(plain) == sorted(name)
        if near and plain != name and plain[:1] == name[:1]:
            return name
    return ""


def split_list(text: str) -> list[str]:
    """Split a typed list at commas or semicolons.

    >>> split_list("2 air, Alpha Company; 3-8")
    ['2 air', 'Alpha Company', '3-8']
    """
    return [part.strip() for part in text.replace(";", ",").split(",") if part.strip()]


def split_count(text: str, names: Iterable[str] = ()) -> tuple[int, str]:
    """Split ``2 air``, ``2x air`` or ``2 x air`` into a count and a name; a text that fits one of the names as it is has count 1.

    >>> split_count("2 air"), split_count("2x air"), split_count("4 MP", ["4 MP"]), split_count("air")
    ((2, 'air'), (2, 'air'), (1, '4 MP'), (1, 'air'))
    """
    if names and matching_names(text, names):
        return 1, text.strip()
    head, _, tail = text.strip().partition(" ")
    number = head.removesuffix("x")
    name = tail.strip().removeprefix("x ").strip()
    return (int(number), name) if number.isdecimal() and len(number) < 3 and name else (1, text.strip())


def join_counted(names: Sequence[str]) -> str:
    """Join names with commas, repeated ones with their count.

    >>> join_counted(["air", "soa", "air"])
    '2 x air, soa'
    """
    return ", ".join(f"{count} x {name}" if (count := names.count(name)) > 1 else name for name in dict.fromkeys(names))


def signed(value: float, places: int = 0) -> str:
    """Format a number with its sign; 0 has none.

    >>> signed(2), signed(-1.25, 1), signed(0), signed(-0.04, 1)
    ('+2', '-1.2', '0', '0.0')
    """
    text = f"{value:+.{places}f}"
    return text if text.strip("+-0.") else text[1:]


def format_probability(chance: float, places: int = 0) -> str:
    """Format a probability; one that is not certain is never shown as 100%.

    >>> [format_probability(chance) for chance in (0.876, 0.9996, 1.0, 0.0)], format_probability(0.0001, 1)
    (['88%', '>99%', '100%', '0%'], '<0.1%')
    """
    text, edge = f"{chance:.{places}%}", 10**-places
    if not 0 < chance < 1 - 1e-12:  # sums of chances fall short of 1 by that much
        return f"{chance:.0%}"
    if not text.strip("0.%"):
        return f"<{edge:g}%"
    return f">{100 - edge:g}%" if text.startswith("100") else text


def contains_words(text: str, part: str) -> bool:
    """True if a text contains another, not inside a word.

    >>> contains_words("Militia eliminated", "eliminated"), contains_words("Camp -> Forest", "rest")
    (True, False)
    """
    start = text.find(part)
    return start >= 0 and not (text[:start][-1:].isalnum() or text[start + len(part) :][:1].isalnum())


def plural(count: int, noun: str, many: str = "") -> str:
    """Format a count with its noun.

    >>> plural(1, "die", "dice"), plural(3, "die", "dice")
    ('1 die', '3 dice')
    """
    return f"{count} {noun if count == 1 else many or noun + 's'}"


def die_range(low: int, high: int, top: int = 0) -> str:
    """Format the faces that a die must show. ``top``: the highest face of the die.

    >>> die_range(1, 3), die_range(6, 6), die_range(5, 9, 6), die_range(1, 0)
    ('1-3', '6', '5-6', 'nothing')
    """
    high = min(high, top) if top else high
    return "nothing" if low > high else str(low) if low == high else f"{low}-{high}"


def labels(items: Sequence[Sequence[str]], others: Iterable[str] = ()) -> tuple[str, ...]:
    """The numbers beside a list's items, each given by its names.

    A number in a name stays with it; the other items get numbers that no name has. ``others`` are names that can be typed too
    but are not in the list.

    >>> labels([["USMC 3/5"], ["USMC 1/8"]])
    ('1', '2')
    >>> labels([["Squad 12"], ["Squad 4"]])
    ('12', '4')
    >>> labels([["1 Tank", "Squad 4"], ["4"], ["Ammunition"]], ["Squad 2"])
    ('3', '5', '6')
    """
    numbers = [{word for name in names for word in name.casefold().split() if word.isdecimal()} for names in items]
    besides = {word for name in others for word in name.casefold().split() if word.isdecimal()}
    times = Counter(number for own in numbers for number in own)
    kept = [next(iter(own)) if len(own) == 1 and not own & besides and times[next(iter(own))] == 1 else "" for own in numbers]
    free = (str(number) for number in count(1) if str(number) not in times and str(number) not in besides)
    return tuple(number or next(free) for number in kept)
