"""Dice and draws that several seats can trust: commitments, shares, the numbers that follow from them, and a chain of hashes.

The host commits to a nonce, the other seats send theirs, the host reveals its own: the numbers follow from all of them. All
values are lower-case hexadecimal texts. ``companion help trusted-dice`` has the protocol and a test vector.
"""

from collections.abc import Mapping, Sequence

from companion.core.hints import Any, Literal
from companion.core.named_tuple import NamedTuple
from companion.core.values import JsonDict, JsonObject, ReplyValue, compact_json

LABEL = "companion trusted dice 1"
"""First line of everything that is hashed, so that no hash of another protocol or version is taken for one of these."""

NONCE_LENGTH = 64
_WORDS, _WORD = 8, 2**32  # A block of HMAC-SHA256 holds eight words of 32 bits

TrustStep = Literal["commit", "share", "reveal", "ask", "consent"]
STEPS: tuple[TrustStep, ...] = ("commit", "share", "reveal", "ask", "consent")


def is_nonce(text: object) -> bool:
    """True for 32 bytes in lower-case hexadecimal."""
    return isinstance(text, str) and len(text) == NONCE_LENGTH and not set(text) - set("0123456789abcdef")


def commitment(nonce: str, session: str, at: str) -> str:
    """Return the commitment to a nonce for one question of one session.

    >>> commitment("00" * 32, "session", "3.1")[:16]
    '50351e8dacad65fa'
    """
    from hashlib import sha256

    return sha256("\n".join((LABEL, "commit", session, at, nonce)).encode()).hexdigest()


class NumberStream:
    """Random numbers that follow from the nonces of all seats; no seat can choose them alone.

    Args:
        host_nonce: The nonce that the host reveals.
        shares: The nonces of the other seats.
        session, at: The session's uid and the number of the question, which bind the numbers to one roll.
    """

    def __init__(self, host_nonce: str, shares: Mapping[str, str], session: str, at: str) -> None:
        self._key = bytes.fromhex(host_nonce)
        seats = [f"{seat} {shares[seat]}" for seat in sorted(shares)]
        self._message = "\n".join((LABEL, "numbers", session, at, *seats))
        self._words: list[int] = []
        self._block = 0

    def _next_word(self) -> int:
        from hmac import digest

        if not self._words:
            block = digest(self._key, f"{self._message}\n{self._block}".encode(), "sha256")
            self._words = [int.from_bytes(block[4 * part : 4 * part + 4], "big") for part in reversed(range(_WORDS))]
            self._block += 1
        return self._words.pop()

    def randbelow(self, size: int) -> int:
        """Return a number from 0 to size-1, all equally likely: words that would favour some are dropped.

        >>> stream = NumberStream("00" * 32, {"nva": "11" * 32}, "session", "3.1")
        >>> [stream.randbelow(6) + 1 for _ in range(10)]
        [6, 4, 2, 1, 1, 3, 5, 5, 3, 4]
        """
        word = self._next_word()
        while word >= _WORD - _WORD % size:
            word = self._next_word()
        return word % size


def chance(request: Any) -> JsonDict:
    """Return what a roll or draw chooses from, as the commitment names it: dice, or the counters in order."""
    if request.kind == "roll":
        return {"kind": "roll", "count": request.count, "sides": request.sides, "lowest": request.lowest}
    return {"kind": "draw", "names": list(request.ordered_names())}


def is_chance(of: object) -> bool:
    """True if plain data says what a roll or draw chooses from, as `chance` does."""
    if not isinstance(of, Mapping):
        return False
    if of.get("kind") == "roll":
        numbers = [of.get(key) for key in ("count", "sides", "lowest")]
        return all(type(number) is int for number in numbers) and 0 < of["count"] <= 1000 and 0 < of["sides"] <= 1000
    names = of.get("names")
    return of.get("kind") == "draw" and isinstance(names, list) and bool(names) and all(isinstance(name, str) for name in names)


def chance_reply(of: JsonObject, stream: NumberStream) -> ReplyValue:
    """Return the dice or the counter that a stream of numbers gives.

    >>> stream = NumberStream("00" * 32, {"nva": "11" * 32}, "session", "3.1")
    >>> chance_reply({"kind": "roll", "count": 3, "sides": 6, "lowest": 1}, stream)
    [6, 4, 2]
    """
    if of["kind"] == "roll":
        return [of["lowest"] + stream.randbelow(of["sides"]) for _ in range(of["count"])]
    name: str = of["names"][stream.randbelow(len(of["names"]))]
    return name


def chain(previous: str, row: Sequence[Any]) -> str:
    """Return the hash of a log up to a row (number, kind, entry, body, time), from that up to the row before; "" for none."""
    from hashlib import sha256

    seq, kind, entry, body, at = row
    ordered = compact_json([seq, kind, entry, _sorted(body), at])
    return sha256("\n".join((LABEL, "row", previous, ordered)).encode()).hexdigest()


def _sorted(value: Any) -> Any:
    """Return plain data with the keys of every object in order."""
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list | tuple) else value


class Ask(NamedTuple):
    """A change across a trusted roll, for which a seat asks the others.

    Attributes:
        seq: The number of its row.
        seat: Who asks.
        text: The change in words.
        rows: The rows to write once it is allowed, each as JSON: kind, entry and body.
        at: The number of the first roll that it moves.
        facts: Printed facts to record with it.
        answers: "yes" or "no" by seat, so far.
    """

    seq: int
    seat: str
    text: str
    rows: Sequence[str]
    at: str
    facts: Mapping[str, str] = {}
    answers: Mapping[str, str] = {}


class Agreement(NamedTuple):
    """What a seat said of a change across a trusted roll: "ask", "yes" or "no", and the number of the row that asks."""

    seq: int
    seat: str
    value: str
    text: str


class TrustLog:
    """What the rows of kind ``trust`` of a log say so far.

    Attributes:
        commits: The body of the commitment by question number.
        shares: The nonces of the other seats, by question number and seat.
        reveals: The nonce of the seat that committed, by question number.
        ask: The change that waits for consent, or was just allowed; None once play goes on.
        agreements: Who asked for a change, allowed or refused it, oldest first.
    """

    def __init__(self) -> None:
        self.commits: dict[str, JsonObject] = {}
        self.shares: dict[str, dict[str, str]] = {}
        self.reveals: dict[str, str] = {}
        self.ask: Ask | None = None
        self.agreements: list[Agreement] = []
        self._asked = Agreement(0, "", "", "")

    def add(self, seq: int, body: JsonObject) -> None:
        """Fold one row of kind ``trust``."""
        at, step, seat, value = body["at"], body["step"], body["seat"], body["value"]
        if step == "commit":
            self.commits.setdefault(at, body)  # a second one never replaces the first
        elif step == "share":
            self.shares.setdefault(at, {}).setdefault(seat, value)
        elif step == "reveal":
            self.reveals.setdefault(at, value)
        elif step == "ask":
            self.ask = Ask(seq, seat, value, body.get("rows", ()), at, body.get("of", {}).get("facts", {}))
            self._asked = Agreement(seq, seat, step, value)
            self.agreements.append(self._asked)
        else:
            self.agreements.append(self._asked._replace(seat=seat, value=value))
            if self.ask is not None:
                self.ask = self.ask._replace(answers={**self.ask.answers, seat: value})

    def waits_for(self, at: str, seats: Sequence[str], own: str) -> tuple[str, ...]:
        """Return the seats that a roll waits for: their shares, or, once these are there, the reveal of the one that committed.

        Args:
            at: The number of its question.
            seats: All seats of players.
            own: The seat that is going to commit to it if nothing has yet.
        """
        committed = self.commits[at]["seat"] if at in self.commits else own
        missing = tuple(seat for seat in seats if seat != committed and seat not in self.shares.get(at, {}))
        return missing or ((committed,) if self.is_open(at) else ())

    def is_open(self, at: str) -> bool:
        """True if a seat has committed to a roll that is not revealed yet."""
        return at in self.commits and at not in self.reveals
