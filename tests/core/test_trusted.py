"""Commit and reveal: the published test vector, even numbers, and what a hash of a log depends on."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from companion.core.policies import random_reply
from companion.core.position import Piece
from companion.core.requests import Draw, Roll
from companion.core.trusted import LABEL, NumberStream, chain, chance, chance_reply, commitment, is_chance, is_nonce

HOST, OTHER = "00" * 32, "11" * 32


def test_the_published_test_vector() -> None:
    """As in `companion help trusted-dice`, and computed here from the standard library alone."""
    text = f"{LABEL}\ncommit\nsession\n3.1\n{HOST}"
    assert commitment(HOST, "session", "3.1") == hashlib.sha256(text.encode()).hexdigest()
    assert commitment(HOST, "session", "3.1") == "50351e8dacad65fa63e1ee698fdd24a45cc3b9a76eff5ea81a20d00218175118"

    stream = NumberStream(HOST, {"nva": OTHER}, "session", "3.1")
    assert [stream.randbelow(6) + 1 for _ in range(10)] == [6, 4, 2, 1, 1, 3, 5, 5, 3, 4]
    message = f"{LABEL}\nnumbers\nsession\n3.1\nnva {OTHER}"
    blocks = [hmac.digest(bytes(32), f"{message}\n{number}".encode(), "sha256") for number in (0, 1)]
    words = [int.from_bytes(block[at : at + 4], "big") for block in blocks for at in range(0, 32, 4)]
    again = NumberStream(HOST, {"nva": OTHER}, "session", "3.1")
    assert [again.randbelow(2**32) for _ in range(16)] == words


def test_numbers_differ_by_every_part() -> None:
    """By either nonce, the seat, the session and the question: nothing of another roll can be used again."""
    parts = [(HOST, "nva", OTHER, "s", "1.1"), (OTHER, "nva", OTHER, "s", "1.1"), (HOST, "us", OTHER, "s", "1.1")]
    parts += [(HOST, "nva", HOST, "s", "1.1"), (HOST, "nva", OTHER, "t", "1.1"), (HOST, "nva", OTHER, "s", "1.2")]
    firsts = {NumberStream(host, {seat: other}, uid, at).randbelow(2**32) for host, seat, other, uid, at in parts}
    assert len(firsts) == len(parts)
    assert len({commitment(host, uid, at) for host, _, _, uid, at in parts}) == 4


def test_order_of_the_shares_does_not_matter() -> None:
    one = NumberStream(HOST, {"a": HOST, "b": OTHER}, "s", "1.1").randbelow(2**32)
    assert one == NumberStream(HOST, {"b": OTHER, "a": HOST}, "s", "1.1").randbelow(2**32)


@pytest.mark.parametrize("size", [6, 10, 7])
def test_faces_are_equally_likely(size: int) -> None:
    """Chi-square of 6,000 dice, each of a roll of its own, below what one in a thousand samples exceeds."""
    counts = Counter(NumberStream(HOST, {"nva": OTHER}, "s", f"{at}.1").randbelow(size) for at in range(6_000))
    expected = 6_000 / size
    assert sum((counts[face] - expected) ** 2 / expected for face in range(size)) < 27.9


def test_a_word_that_would_favour_low_numbers_is_dropped() -> None:
    """Of a size just over half of the words, every second word on average is dropped, and none is taken modulo the size."""
    size = 2**31 + 1
    words, stream = NumberStream(HOST, {}, "s", "1.1"), NumberStream(HOST, {}, "s", "1.1")
    kept = [word for word in (words.randbelow(2**32) for _ in range(64)) if word < size]
    assert [stream.randbelow(size) for _ in range(len(kept))] == kept


def test_a_roll_and_a_draw_are_the_random_reply_of_their_request() -> None:
    """What the commitment names gives the same as the request itself."""
    pieces = [Piece(f"{name}#{number}", name, "chit", "cup") for number, name in enumerate("abac")]
    requests = [
        Roll("fire", "Fire", "1", count=5, sides=10, lowest=0),
        Draw("chit", "Draw", "1", "cup", pieces),
        Draw("chit", "Draw", "1", "cup", {"a": 2, "b": 1, "c": 1}),
    ]
    for request in requests:
        for at in range(40):
            one, two = (NumberStream(HOST, {"nva": OTHER}, "s", f"{at}.1") for _ in range(2))
            of = chance(request)
            assert is_chance(of)
            assert chance_reply(of, one) == random_reply(request, two.randbelow)


def test_what_is_no_nonce_and_no_roll() -> None:
    assert is_nonce(HOST)
    assert not any(map(is_nonce, ["", HOST[1:], HOST + "0", "AB" * 32, None, 5]))
    assert not any(map(is_chance, [{}, [], {"kind": "roll", "count": 0, "sides": 6, "lowest": 1}, {"kind": "draw", "names": []}]))


def test_hash_of_a_log_depends_on_each_row_and_their_order() -> None:
    rows = [[1, "note", 0, {"text": "a", "b": 1}, "t"], [2, "note", 0, {"text": "b"}, "t"]]
    one = chain(chain("", rows[0]), rows[1])
    assert chain(chain("", [1, "note", 0, {"b": 1, "text": "a"}, "t"]), rows[1]) == one  # keys have no order
    others = [chain(chain("", rows[1]), rows[0]), chain("", rows[1]), chain(chain("", [*rows[0][:4], "u"]), rows[1])]
    assert len({one, *others}) == 4
