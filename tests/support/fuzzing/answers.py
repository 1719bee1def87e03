"""What a fuzzing player types: answers that fit, answers in other words, and garbage."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.errors import Illegal, Unreadable
from companion.core.policies import DecisionContext, random_reply
from companion.core.requests import Choose, Confirm, Number, Pick, Printed, Request, Roll, Text
from companion.session.controller import SessionController
from tests.support.offers import offered

GARBAGE = (
    *("", " ", "?", "-", "--", "none", "all", "yes", "no", "y", "0", "1", "-1", "7", "999", "1e3", "0x10", "1.5", "3 5 2"),
    *("x", "the", "a,b", ",", ";,;", "1,1", "2 x", "2 x 1", "1-2", "3-8", "a" * 300, "9" * 5000, "¼", "٣", "é́", "🎲", "null"),
    *("\x1b[2Jx", "a\x00b", "tab\there", "new\nline", "'; DROP TABLE log; --", "[b]x[/b]", "{}", "[]", "fact:x", "flag:x yes"),
    *("=", "a=b", "x#1", "#", "1+2", "/undo", "..", "../../etc", "%s", "\\", '"', "'", "none none", "all all", "+", "*"),
)
"""What nobody should type, and somebody will."""


def typed(request: Request[Any], value: Any, chance: Random) -> str:
    """A value as a player might type it: as it is, by its label, by what stands beside it."""
    if isinstance(request, Roll):
        return (" " if chance.random() < 0.5 else "").join(map(str, value))
    if isinstance(request, Confirm):
        return ("yes" if value else "no")[: chance.choice((1, 3))]
    if isinstance(request, Pick):
        if not value:
            return "none"
        return ",".join(_word(request, one, chance) for one in value)
    return _word(request, value, chance) if isinstance(request, Choose) else str(value)


def _word(request: Choose | Pick, value: str, chance: Random) -> str:
    if chance.random() < 0.75:
        return value
    legal = request.legal_choices()
    labels = request.labels()
    for at, choice in enumerate(legal):
        if choice.value == value and at < len(labels):
            return labels[at]
    return value


def fitting(session: SessionController, chance: Random) -> Any:
    """A value for the open question, as the game's own random player would answer it."""
    under = session.running_entry()
    assert under is not None and under.request is not None
    request, players = under.request, session.game.players
    try:
        return _of_the_game(session, under, request, players, chance)
    except (Illegal, Unreadable, LookupError, ValueError):  # of a fight that stands alone, or a strange table, it has no idea
        pass
    try:
        return random_reply(request, chance.randrange)
    except (Illegal, Unreadable, ValueError):  # on a strange table there may be nothing to choose from
        return [] if isinstance(request, Pick) else garbage(chance)


def _of_the_game(session: SessionController, under: Any, request: Request[Any], players: Any, chance: Random) -> Any:
    if isinstance(request, Printed):
        return request.check(players.made_up_fact(request, chance.randrange))
    seat = players.asked_seat(request, players.acting_seat(under.position))
    at = DecisionContext(
        session.game,
        session.options,
        seat,
        under.referee,
        request,
        chance.randrange,
        _first,
        None,
        lambda: session.resolver().known_facts(),
    )
    return players.random_reply(at)


def _first(candidates: Any, names: Any) -> Any:
    raise AssertionError("a random player weighs nothing")


def offer(request: Request[Any], chance: Random) -> Any:
    """One of the answers that are offered; None where there is none."""
    found = offered(request)
    return chance.choice(found) if found else None


def action(session: SessionController, chance: Random) -> str:
    """An action that the game's own random player would take; "" for none."""
    position = session.position
    seat = session.game.players.acting_seat(position)
    at = DecisionContext(
        session.game,
        session.options,
        seat,
        None,
        None,
        chance.randrange,
        _first,
        position,
        lambda: session.resolver().known_facts(),
    )
    return session.game.players.random_action(at)


def garbage(chance: Random) -> str:
    return chance.choice(GARBAGE)


def amount(request: Request[Any], chance: Random) -> str:
    """Something near an answer: beyond a bound, a word of it, a piece of it."""
    if isinstance(request, Number):
        return str(chance.choice((request.low - 1, request.high + 1, request.low, request.high)))
    if isinstance(request, Text):
        return request.notation.example
    legal = request.legal_choices()
    if not legal:
        return garbage(chance)
    word = chance.choice(legal).label
    return word[: chance.randrange(len(word) + 1)]


def change(session: SessionController, chance: Random) -> tuple[str, str]:
    """Something to be put right, and to what: mostly what there is."""
    game, position = session.game, session.position
    ways = (_track, _track, _place, _place, _face, _mark, _flag, _fact, _new, _nonsense)
    found = chance.choice(ways)(game, position, session, chance)
    return found or ("x", "1")


def _track(game: Any, position: Any, session: SessionController, chance: Random) -> tuple[str, str] | None:
    if not game.tracks:
        return None
    track = chance.choice(list(game.tracks.values()))
    low = -3 if track.low is None else track.low
    high = low + 20 if track.high is None else track.high
    value = chance.randint(low, high) if chance.random() < 0.9 else chance.choice((low - 1, high + 1, 10**30))
    return (f"track:{track.id}" if chance.random() < 0.5 else track.id), str(value)


def _piece(position: Any, chance: Random) -> Any:
    pieces = list(position.pieces.values())
    return chance.choice(pieces) if pieces else None


def _place(game: Any, position: Any, session: SessionController, chance: Random) -> tuple[str, str] | None:
    piece = _piece(position, chance)
    if piece is None:
        return None
    places = sorted({*game.places, *position.places()})
    return chance.choice((piece.id, piece.name)), chance.choice(places)


def _face(game: Any, position: Any, session: SessionController, chance: Random) -> tuple[str, str] | None:
    piece = _piece(position, chance)
    if piece is None:
        return None
    faces = list(game.corrections.face_names(piece))
    face = chance.choice(faces) if faces and chance.random() < 0.9 else garbage(chance)
    return f"{piece.id}.face", chance.choice((face, game.face_title(piece, face)))


def _mark(game: Any, position: Any, session: SessionController, chance: Random) -> tuple[str, str] | None:
    piece = _piece(position, chance)
    marks = game.mark_names(piece) if piece else {}
    if not marks:
        return None
    mark = chance.choice(list(marks))
    value = chance.choice([*(str(one) for one in marks[mark] if one is not None), "yes", "none", "1", "2"])
    return f"{piece.id}.{mark}", value


def _flag(game: Any, position: Any, session: SessionController, chance: Random) -> tuple[str, str] | None:
    flags = sorted({*position.flags, *game.vocabulary.flags.exact})
    if not flags:
        return None
    flag = chance.choice(flags)
    was = position.flags.get(flag)
    return f"flag:{flag}", chance.choice(("yes", "no", "none", "1", "2", "x", str(was)))


def fact(session: SessionController, chance: Random) -> tuple[str, str] | None:
    """A printed fact, and another value that it might have."""
    told = session.log.facts()
    if not told:
        return None
    key = chance.choice(sorted(told))
    kind = key.partition(":")[0]
    alike = sorted({value for name, value in told.items() if name.partition(":")[0] == kind})
    return key, chance.choice(alike) if chance.random() < 0.9 else garbage(chance)


def _fact(game: Any, position: Any, session: SessionController, chance: Random) -> tuple[str, str] | None:
    found = fact(session, chance)
    return None if found is None else (f"fact:{found[0]}", found[1])


def _new(game: Any, position: Any, session: SessionController, chance: Random) -> tuple[str, str] | None:
    piece = _piece(position, chance)
    places = sorted({*game.places, *position.places()})
    if piece is None or not places:
        return None
    name = chance.choice((piece.name, garbage(chance), "Odd one"))
    return f"new:{piece.kind}:{name}", chance.choice(places)


def _nonsense(game: Any, position: Any, session: SessionController, chance: Random) -> tuple[str, str] | None:
    return garbage(chance), garbage(chance)
