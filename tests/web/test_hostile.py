"""Random and hostile requests: no fault, no growth, and no change without a right."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games import GAMES
from tests.support import tiny
from tests.support.hosted import NO_LIMIT, Hosted, Wire, hosted, served
from tests.support.hostile import Checked, random_request, run_apart

SAMPLE = 600
ALL = 100_000
GROWTH = 40_000_000
"""Bytes of memory that the log of what was allowed may take, and the allocator."""


@pytest.fixture
def haggle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_haggle")
    monkeypatch.setenv("COMPANION_TABLES", tiny.TABLES)


@pytest.fixture
def host(haggle: None) -> Iterator[Hosted]:
    with hosted(limits=NO_LIMIT) as made:
        yield made


def _resident() -> int:
    """Bytes of memory of this process; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096
    except OSError:
        return 0


async def _send(host: Hosted, count: int, seed: int) -> tuple[Checked, int]:
    """Send random requests; return what came of them, and how much memory grew after the first fifth."""
    checked, random, first = Checked(host), Random(seed), 0
    for number in range(count):
        before = checked.state()
        await checked.send(random_request(random, host, before), before)
        if number == count // 5:
            first = _resident()
    return checked, _resident() - first


def test_a_sample_of_random_requests(host: Hosted) -> None:
    checked, _ = run_apart(_send(host, SAMPLE, 1))

    assert set(checked.statuses) >= {200, 400, 401, 403, 404, 405, 409, 413, 415, 421}
    assert checked.changes > SAMPLE / 100


@pytest.mark.long
def test_a_hundred_thousand_random_requests(host: Hosted) -> None:
    checked, growth = run_apart(_send(host, ALL, 2))
    sys.stdout.write(f"\n{ALL} requests: {dict(sorted(checked.statuses.items()))}, {checked.changes} changes, {growth} bytes\n")

    assert checked.changes > ALL / 200
    assert growth < GROWTH


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 1 << 60), body=st.binary(max_size=300), path=st.text(max_size=40))
def test_any_bytes_at_any_path(host: Hosted, seed: int, body: bytes, path: str) -> None:
    checked = Checked(host)
    before = checked.state()
    request = random_request(Random(seed), host, before)._replace(body=body)

    async def both() -> None:
        await checked.send(request, before)
        between = checked.state()
        await checked.send(request._replace(path=f"/{path}"), between)

    run_apart(both())


_HEAD = b"POST /note HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: a=b\r\nContent-Length: 20\r\n\r\n"
_WIRE = st.binary(max_size=200) | st.builds(lambda at, part: _HEAD[:at] + part + _HEAD[at:], st.integers(0, 80), st.binary())


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(sent=_WIRE)
def test_any_bytes_on_the_wire(sent: bytes, wired: tuple[Hosted, int]) -> None:
    made, port = wired
    with Wire(port, made) as wire:
        wire.socket.sendall(sent)
        wire.socket.shutdown(1)
        answer = wire.read_until(b"\r\n\r\n")

        assert not answer or answer.split()[1] in (b"400", b"401", b"403", b"404", b"405", b"421"), (sent, answer)
    assert made.faults == []


@pytest.fixture
def wired(haggle: None) -> Iterator[tuple[Hosted, int]]:
    with served(limits=NO_LIMIT) as made:
        yield made
