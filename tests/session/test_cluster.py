"""A cluster of two workers on this machine, one of which is killed: the rows are those of one process."""

from __future__ import annotations

import csv
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.commands import companion

ADDRESS = re.compile(rb"tcp://127\.0\.0\.1:\d+")
GAMES = ("simulate", "fallujahcards", "--policy", "random", "--seed", "cluster", "--games", "240")


def test_without_the_library_the_cure_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = companion("simulate", "fallujahcards", "--games", "2", "--cluster", "tcp://127.0.0.1:1")

    assert done.code == 2 and 'pip install "tabletop-companion[cluster]"' in done.err


Begin = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Starts ``dask`` with these words; whatever was started is gone at the end."""
    started: list[subprocess.Popen[bytes]] = []

    def one(*words: str) -> subprocess.Popen[bytes]:
        with (tmp_path / f"{len(started)}.log").open("wb") as log:
            command = [sys.executable, "-m", "dask", *words]
            started.append(subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=tmp_path))
        return started[-1]

    yield one
    for process in reversed(started):
        process.kill()
        process.wait()


def scheduler(begin: Begin, folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """Starts a scheduler; it, and its address."""
    process = begin("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    for _ in range(600):
        found = ADDRESS.search((folder / "0.log").read_bytes())
        if found:
            return process, found[0].decode()
        time.sleep(0.1)
    raise AssertionError((folder / "0.log").read_text())


def refused(address: str) -> str:
    """What a command says in a process of its own, whose library keeps threads."""
    command = [sys.executable, "-m", "companion", "simulate", "fallujahcards", "--games", "2", "--cluster", address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2 and done.stdout == "" and "Traceback" not in done.stderr
    return " ".join(done.stderr.split())


@pytest.mark.long
def test_a_cluster_that_is_not_there_or_has_no_worker(begin: Begin, tmp_path: Path) -> None:
    pytest.importorskip("distributed")

    assert "there is no cluster at tcp://127.0.0.1:9" in refused("tcp://127.0.0.1:9")
    assert "there is no cluster at nonsense" in refused("nonsense")
    assert "has no worker" in refused(scheduler(begin, tmp_path)[1])


def test_a_worker_that_is_killed_costs_no_row(begin: Begin, tmp_path: Path) -> None:
    """It had games in hand: another worker plays them."""
    pytest.importorskip("distributed")
    (_, address), path = scheduler(begin, tmp_path), tmp_path / "x.csv"
    workers = [begin("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard") for _ in range(2)]
    played = begun(path, "--cluster", address)
    workers[0].send_signal(signal.SIGKILL)
    done = len(rows(path))
    out, err = played.communicate(timeout=240)

    assert (played.returncode, err) == (0, "") and out.startswith("240 games, seed cluster")
    assert done < 240, "it was over before the worker was killed"
    assert companion(*GAMES, "--out", str(tmp_path / "alone.csv")).code == 0
    assert rows(path) == rows(tmp_path / "alone.csv")


@pytest.mark.long
def test_a_cluster_that_is_lost_keeps_what_it_has_played(begin: Begin, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    (process, address), path = scheduler(begin, tmp_path), tmp_path / "x.csv"
    begin("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    played = begun(path, "--games", "100000", "--cluster", address)
    process.kill()
    out, err = played.communicate(timeout=120)

    assert (played.returncode, out) == (4, "") and err.startswith(f"the cluster {address} was lost") and "Traceback" not in err
    assert [row["index"] for row in rows(path)][:3] == ["1", "2", "3"]


def begun(path: Path, *words: str) -> subprocess.Popen[str]:
    """A run in a process of its own, which has written its first games."""
    command = [sys.executable, "-m", "companion", *GAMES, *words, "--out", str(path)]
    played = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while played.poll() is None and len(rows(path)) < 3:
        time.sleep(0.05)
    return played


def rows(path: Path) -> list[dict[str, str]]:
    """The rows, without the one column that differs from run to run."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [{key: value for key, value in row.items() if key != "seconds"} for row in csv.DictReader(file)]
