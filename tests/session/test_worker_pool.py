"""Several processes at work: what stays when they are stopped in one way or another, and that none of them stays."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from companion import __version__
from companion.core.errors import Unreadable
from companion.session import simulation
from companion.session.simulation import SimulatedGame
from companion.session.state import load_game
from companion.session.worker_pool import AHEAD, ChunkPacer, WorkerPool, _feed, in_order
from tests.support.commands import companion
from tests.support.written_rows import rows

GAMES = ("simulate", "fallujahcards", "--policy", "random", "--seed", "stop")
Stop = Callable[[int, list[int]], None]


def children(process: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def line(process: int) -> str:
    """The command line of a process."""
    return Path(f"/proc/{process}/cmdline").read_text()


def told(process: int, what: str) -> str:
    """What the system says of a process."""
    rows = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(row.split()[1] for row in rows if row.startswith(f"{what}:"))


def there(process: int) -> bool:
    """Whether it is still at work; what has ended and waits to be noticed is not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def slow(*values: Any) -> Any:
    """Values of a parametrized test that run only with the slow tests."""
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux tells them")
@pytest.mark.parametrize(
    ("stop", "code", "said"),
    [
        (lambda own, workers: os.kill(own, signal.SIGINT), 130, "! Stopped after"),
        slow(lambda own, workers: os.kill(own, signal.SIGTERM), 130, "! Stopped after"),
        slow(lambda own, workers: os.kill(own, signal.SIGKILL), -9, ""),
        slow(lambda own, workers: os.kill(workers[-1], signal.SIGKILL), 4, "a worker process was killed"),
    ],
    ids=["Ctrl-C", "kill", "kill -9", "a worker is killed"],
)
def test_finished_games_are_kept_and_workers_end(tmp_path: Path, stop: Stop, code: int, said: str) -> None:
    path = tmp_path / "x.csv"
    command = [sys.executable, "-m", "companion", *GAMES, "--games", "100000", "--jobs", "2", "--out", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as played:
        while played.poll() is None and len(rows(path)) < 4:
            time.sleep(0.05)
        workers = children(played.pid)
        stop(played.pid, workers)
        out, err = played.communicate(timeout=60)

    assert played.returncode == code and said in out + err and "Traceback" not in err
    kept = {row["index"]: row for row in rows(path)}
    assert companion(*GAMES, "--games", max(kept, key=int), "--out", str(tmp_path / "alone.csv")).code == 0
    assert list(kept.values()) == [row for row in rows(tmp_path / "alone.csv") if row["index"] in kept]
    for _ in range(100):
        if not any(map(there, workers)):
            break
        time.sleep(0.1)
    assert not any(map(there, workers))


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux tells them")
@pytest.mark.parametrize("later", [0.0, slow(0.03), 0.06, slow(0.1)])
def test_ctrl_c_at_the_start_ends_workers_silently(later: float) -> None:
    """A terminal sends it to all of them."""
    command = [sys.executable, "-m", "companion", *GAMES, "--games", "1000", "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as played:
        while played.poll() is None and sum("spawn_main" in line(one) for one in children(played.pid)) < 2:
            time.sleep(0.002)  # a child has the command line of a worker only when that has begun
        blocked = [
            int(told(one, "SigBlk"), 16) >> signal.SIGINT - 1 & 1 for one in children(played.pid) if "spawn_main" in line(one)
        ]
        time.sleep(later)
        os.killpg(played.pid, signal.SIGINT)
        out, err = played.communicate(timeout=60)

    assert (played.returncode, err) == (130, "") and "! Stopped after" in out
    assert blocked and all(blocked)


def row(number: int, seconds: float = 0.0) -> SimulatedGame:
    return SimulatedGame(number, "won", 1.0, 1, 1, seconds)


def test_rows_are_ordered_and_unique() -> None:
    chunks = [[row(3), row(4)], [row(1)], [row(1), row(3)], [row(2)], [row(5)]]

    assert [[one.number for one in ready] for ready in in_order(chunks, range(1, 6))] == [[1], [2, 3, 4], [5]]


def test_repeated_late_row_is_dropped() -> None:
    """A task may run twice, and Ctrl-C come then: what is given out of turn was not given before."""

    def twice() -> Iterator[list[SimulatedGame]]:
        yield [row(1), row(2)]
        yield [row(2), row(4)]
        raise KeyboardInterrupt

    found: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        for ready in in_order(twice(), range(1, 6)):
            found += [one.number for one in ready]
    assert found == [1, 2, 4]


def test_worker_with_another_version_plays_nothing() -> None:
    """And what it says comes over to who asked, message and cure."""
    series = simulation.make_series(load_game("fallujahcards"), "", {}, {"": "random"}, "x")._replace(version="0.9.9")
    with pytest.raises(Unreadable) as no:
        simulation.play_games(series, [1])
    told = pickle.loads(pickle.dumps(no.value))

    assert f"a worker has Companion {__version__}, and the series is played by 0.9.9" in str(told)
    assert told.cure == "Install the same Companion on every machine"


def test_pending_work_is_bounded() -> None:
    """However many games there are: what waits is a few chunks, and numbers are not counted ahead."""
    asked_for, out, most = 0, 0, 0

    def numbers() -> Iterator[int]:
        nonlocal asked_for
        for number in range(1, 100_001):
            asked_for = number
            yield number

    def give(chunk: list[int]) -> Future[list[SimulatedGame]]:
        nonlocal out, most
        out, most = out + 1, max(most, out + 1)
        done: Future[list[SimulatedGame]] = Future()
        done.set_result([row(number, 0.5) for number in chunk])
        return done

    def wait(futures: set[Any]) -> list[Any]:
        nonlocal out
        out -= 1
        return [next(iter(futures))]

    played = _feed(WorkerPool(lambda: 3, give, wait), numbers())
    for _ in range(50):
        next(played)
    assert most == 3 * AHEAD and asked_for < 130


def test_a_chunk_takes_about_a_second() -> None:
    pace = ChunkPacer()
    assert pace.size == 1
    pace.learn([row(1, 0.02)])
    assert pace.size == 50
    pace.learn([row(2, 3.0)])
    assert pace.size == 1
    quick = ChunkPacer()
    quick.learn([row(1, 0.0)])
    assert quick.size == 500


def test_worker_collects_garbage_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """And as before afterwards, even after a fault; where nobody looks for any, nobody begins to."""
    series = simulation.make_series(load_game("fallujahcards"), "", {}, {"": "random"}, "gc")
    seen: list[int] = []

    def played(series: object, number: int) -> None:
        seen.append(gc.get_threshold()[0])
        if number > 1:
            raise ValueError

    monkeypatch.setattr(simulation, "play_game", played)
    before = gc.get_threshold()
    simulation.play_games(series, [1])
    with pytest.raises(ValueError):
        simulation.play_games(series, [2])
    after = gc.get_threshold()
    gc.set_threshold(0)
    simulation.play_games(series, [1])
    gc.set_threshold(*before)

    assert after == before
    assert seen == [25_000, 25_000, 0]
