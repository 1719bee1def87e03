"""Verdicts stand out: words in capitals such as WON and ELIMINATED have a look of their own, a loss by whose it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from companion.core.game import Game
from companion.core.position import Piece
from companion.views.lines import Line, Span

_PLAYED = "player"
"""What the option of a seat says that a person plays; a seat without such an option is a person's."""

_ENDS = {"WON": "won", "LOST": "lost"}
"""The player's verdicts."""
_HARM = (
    *("ELIMINATED", "DESTROYED", "KILLED", "REDUCED", "PINNED", "DISRUPTED", "WOUNDED", "DAMAGED", "SHOT DOWN", "REMOVED"),
    *("STEP LOSS", "RETREATS", "BROKEN", "GONE", "DEAD"),
)
_BESIDES = ("HIT", "HITS", "MISS", "MISSES", "DRAW", "DRAWN", "NOBODY")
_VERDICTS = (*_ENDS, *_HARM, *_BESIDES)
_SPOKEN = ("eliminated", "destroyed", "killed", "shot down")
_STOPS = (". ", "; ")


def capitalise_verdicts(text: str) -> str:
    """A reason with its verdict in capitals: ``eliminated`` is ELIMINATED."""
    for word in _SPOKEN:
        text = text.replace(word, word.upper())
    return text


class Emphasis:
    """Gives verdicts their look.

    Args:
        game, options: of the session.
        pieces: that lines may name.
    """

    def __init__(self, game: Game, options: Mapping[str, str], *pieces: Mapping[str, Piece]) -> None:
        self._game, self._options, self._pieces = game, options, pieces

    @cached_property
    def _own(self) -> str:
        """The seat of the one person who plays; "" where there are two."""
        people = [seat for seat in self._game.players.seats if self._options.get(seat, _PLAYED) == _PLAYED]
        return people[0] if len(people) == 1 else ""

    @cached_property
    def _sides(self) -> Mapping[str, str]:
        """Name of a piece -> its side, of all that have one."""
        found = {piece.name: self._game.side(piece) for pieces in self._pieces for piece in pieces.values()}
        return {name: side for name, side in found.items() if side}

    def lines(self, lines: Iterable[Line]) -> list[Line]:
        """The lines with their verdicts set off."""
        return [self._line(line) if any(word in line.text for word in _VERDICTS) else line for line in lines]

    def _line(self, line: Line) -> Line:
        lead = len(line.lead)
        found = [
            Span(lead + at, lead + at + len(word), self._tone(line.text, at, word))
            for at, word in _words_in(line.text, _VERDICTS)
        ]
        return line._replace(spans=tuple(_overlay(line.spans, found)))

    def _tone(self, text: str, at: int, word: str) -> str:
        """The tone of a verdict: where two people play, neither side's."""
        if word in _BESIDES or not self._own:
            return "key"
        return _ENDS[word] if word in _ENDS else self._harm(_sentence(text, at))

    def _harm(self, sentence: str) -> str:
        """The tone of harm, by whom a sentence names: of both sides, or of none, it is neither good nor bad."""
        sides = {self._sides[name] for _, name in _words_in(sentence, self._sides)}
        return "key" if len(sides) != 1 else "loss" if sides == {self._own} else "gain"


def _words_in(text: str, words: Iterable[str]) -> list[tuple[int, str]]:
    """Which of some words stand in a text, and where: whole, and of one within another only the longer."""
    found: dict[int, str] = {}
    taken: set[int] = set()
    for word in sorted(words, key=len, reverse=True):
        at = text.find(word)
        while at >= 0:
            if _is_whole_word(text, at, at + len(word)) and at not in taken:
                found[at] = word
                taken.update(range(at, at + len(word)))
            at = text.find(word, at + 1)
    return sorted(found.items())


def _is_whole_word(text: str, start: int, end: int) -> bool:
    """Whether a part of a text is no part of a word or a number."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() or after.isalnum() or after == "/")


def _sentence(text: str, at: int) -> str:
    """The sentence of a text that a place is in."""
    begin = max(text.rfind(stop, 0, at) + 1 for stop in _STOPS)
    ends = [end for stop in _STOPS if (end := text.find(stop, at)) >= 0]
    return text[begin : min(ends, default=len(text))]


def _overlay(spans: Iterable[Span], upper: Iterable[Span]) -> Iterator[Span]:
    """Spans with others over them, from the left; what is beneath shows on both sides of them."""
    left = list(spans)
    for above in upper:
        while left and left[0].end <= above.start:
            yield left.pop(0)
        if left and left[0].start < above.start:
            yield left[0]._replace(end=above.start)
        while left and left[0].end <= above.end:
            left.pop(0)
        if left and left[0].start < above.end:
            left[0] = left[0]._replace(start=above.end)
        yield above
    yield from left
