"""Play the games of a series in this process, in several processes, or on a cluster.

Games are handed out in chunks of about a second, a few at a time, so that memory stays constant and the end comes soon. Results
arrive in any order; `in_order` sorts them by number.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from time import monotonic
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from companion.core.errors import BadData, CompanionError, Unreadable
from companion.core.text import clean
from companion.session.simulation import Series, SimulatedGame, play_games

CHUNK_SECONDS = 1.0
"""Target duration of a chunk."""
MAX_CHUNK = 500
AHEAD = 2
"""Chunks handed out per worker at a time."""
MAX_JOBS = 256
_MAX_GREETING = 1 << 20
"""Upper bound for the size of a scheduler's greeting, in bytes."""
CONNECT_TIMEOUT = 5
"""Seconds to wait for a cluster and for a worker in it."""
IDLE_TIMEOUT = 30
"""Seconds that a cluster may be without workers during a run."""


class ChunkPacer:
    """Chooses the size of chunks by the time that games have taken."""

    def __init__(self) -> None:
        self._games = 0
        self._seconds = 0.0

    @property
    def size(self) -> int:
        each = self._seconds / self._games if self._games else CHUNK_SECONDS
        return max(1, min(MAX_CHUNK, int(CHUNK_SECONDS / max(each, 1e-6))))

    def learn(self, rows: Sequence[SimulatedGame]) -> None:
        self._games += len(rows)
        self._seconds += sum(row.seconds for row in rows)


class ChunkFuture(Protocol):
    """The future of a chunk: of concurrent.futures or of dask.distributed."""

    def result(self) -> list[SimulatedGame]: ...
    def __hash__(self) -> int: ...


F = TypeVar("F", bound=ChunkFuture)


class WorkerPool(NamedTuple, Generic[F]):
    """Workers that play chunks of games.

    Attributes:
        slots: Returns how many chunks they play at a time.
        submit: Hands out a chunk; returns its future.
        wait: Returns futures that are done, at least one.
    """

    slots: Callable[[], int]
    submit: Callable[[list[int]], F]
    wait: Callable[[set[F]], Iterable[F]]


def in_process(series: Series, numbers: Iterable[int]) -> Iterator[list[SimulatedGame]]:
    """Play the games in this process, one after the other."""
    for number in numbers:
        yield play_games(series, [number])


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processes(series: Series, numbers: Iterable[int], jobs: int) -> Iterator[list[SimulatedGame]]:
    """Play the games in several processes; raise BadData if one of them is killed."""
    from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_context

    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start_worker)

    def submit(chunk: list[int]) -> Future[list[SimulatedGame]]:
        with _sigint_blocked():
            return pool.submit(play_games, series, chunk)

    workers = WorkerPool(lambda: jobs, submit, lambda futures: wait(futures, return_when=FIRST_COMPLETED).done)
    done = False
    try:
        yield from _feed(workers, numbers)
        done = True
    except BrokenProcessPool:
        raise BadData("a worker process was killed", cure="Check whether memory was short") from None
    finally:
        if not done:
            for child in active_children():
                child.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Block SIGINT while processes start, so that Ctrl-C reaches only this one. Not every system supports that."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker() -> None:
    """Set up a worker: ignore SIGINT, and exit when the parent does."""
    from multiprocessing import parent_process
    from signal import SIG_IGN, SIGINT, signal
    from threading import Thread

    def watch() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    signal(SIGINT, SIG_IGN)
    Thread(target=watch, daemon=True).start()


def cluster(series: Series, numbers: Iterable[int], address: str) -> Iterator[list[SimulatedGame]]:
    """Play the games on a cluster of dask.distributed; a chunk whose worker is lost is played again by another.

    Raises:
        Unreadable: dask.distributed is not installed, or there is no such cluster, or no worker in it.
        BadData: The cluster was lost.
    """
    from hashlib import sha256

    distributed = _import_distributed()
    client = _connect(distributed, address.strip().rstrip("/"))
    label = "companion-" + sha256(f"{series.description}/{series.seed}".encode()).hexdigest()[:16]
    workers = WorkerPool(
        lambda: max(1, sum(client.nthreads().values())),
        lambda chunk: client.submit(
            play_games, series, chunk, key=f"{label}-{chunk[0]}-{chunk[-1]}-{len(chunk)}", retries=3, pure=False
        ),
        lambda futures: _wait_any(distributed, client, futures),
    )
    try:
        yield from _feed(workers, numbers)
    except CompanionError:
        raise
    except Exception as fault:
        why = clean(str(fault)) if isinstance(fault, ImportError) else type(fault).__name__
        cure = "Check its scheduler and its workers; they need the same Python and the same Companion as this machine"
        raise BadData(f"the cluster {clean(address)} was lost: {why}", cure=cure) from None
    finally:
        client.close(timeout=2)


def _wait_any(distributed: Any, client: Any, futures: set[Any]) -> Any:
    """Return the chunks that are done, at least one."""
    since = monotonic()
    while True:
        try:
            return distributed.wait(list(futures), timeout=CONNECT_TIMEOUT, return_when="FIRST_COMPLETED").done
        except TimeoutError:  # a game may take long; only a cluster without workers never ends
            if client.nthreads():
                since = monotonic()
            elif monotonic() - since > IDLE_TIMEOUT:
                cure = "Start one, with the same Companion as here; with --out FILE the same command continues"
                raise BadData("the cluster has no worker any more", cure=cure) from None


def _import_distributed() -> Any:
    from importlib import import_module
    from logging import CRITICAL, disable

    try:
        library = import_module("distributed")
    except ImportError:
        what = "a cluster needs dask.distributed, which is not installed"
        raise Unreadable(what, cure='pip install "tabletop-companion[cluster]"') from None
    disable(CRITICAL)  # Companion reports each fault itself, once
    return library


def _connect(distributed: Any, address: str) -> Any:
    """Connect to a cluster that has a worker."""
    try:
        _check_scheduler(address)
        client = distributed.Client(address, timeout=CONNECT_TIMEOUT)
    except Exception as fault:  # the library raises a different error for each kind of address
        cure = "Start one: dask scheduler --port 8786; and on each machine: dask worker tcp://SCHEDULER:8786"
        raise Unreadable(f"there is no cluster at {clean(address)}: {clean(str(fault))[:150]}", cure=cure) from None
    try:
        client.wait_for_workers(1, timeout=CONNECT_TIMEOUT)
    except Exception:
        client.close(timeout=2)
        what = f"the cluster at {clean(address)} has no worker"
        raise Unreadable(what, cure=f"Start one: dask worker {clean(address)}") from None
    return client


def _check_scheduler(address: str) -> None:
    """Check that a scheduler listens; the library waits long for one, and for ever if something else listens.

    A scheduler speaks first: eight bytes with the length of its greeting.
    """
    from socket import create_connection
    from urllib.parse import urlsplit

    url = urlsplit(address)
    if not (url.scheme and url.hostname and url.port):
        raise ValueError("an address is tcp://HOST:PORT")
    with create_connection((url.hostname, url.port), CONNECT_TIMEOUT) as line:
        if url.scheme == "tcp" and not 0 < int.from_bytes(line.recv(8), "little") < _MAX_GREETING:
            raise ValueError("the listener there is not a dask scheduler")


def _feed(workers: WorkerPool[F], numbers: Iterable[int]) -> Iterator[list[SimulatedGame]]:
    """Hand out chunks so that the workers stay busy, and yield their rows as they are done."""
    remaining, pace = iter(numbers), ChunkPacer()
    running: set[F] = set()
    while True:
        while len(running) < AHEAD * workers.slots() and (chunk := list(islice(remaining, pace.size))):
            running.add(workers.submit(chunk))
        if not running:
            return
        for future in list(workers.wait(running)):
            running.discard(future)
            rows = future.result()
            pace.learn(rows)
            yield rows


def in_order(chunks: Iterable[Sequence[SimulatedGame]], numbers: Iterable[int]) -> Iterator[list[SimulatedGame]]:
    """Yield the rows in the order of their numbers, each once; if play is stopped, rows held back come before the error."""
    remaining = iter(numbers)
    held: dict[int, SimulatedGame] = {}
    next_number = next(remaining, 0)
    try:
        for rows in chunks:
            held |= {row.number: row for row in rows if row.number >= next_number}
            ready = []
            while next_number in held:
                ready.append(held.pop(next_number))
                next_number = next(remaining, 0)
            if ready:
                yield ready
    except (KeyboardInterrupt, CompanionError):
        yield [held[index] for index in sorted(held)]
        raise
