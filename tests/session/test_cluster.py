"""A cluster of two workers on this machine, one of which is killed: the rows are those of one process."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.session import worker_pool
from tests.support.commands import companion
from tests.support.pages import ROOT
from tests.support.written_rows import rows

ADDRESS = re.compile(rb"tcp://127\.0\.0\.1:\d+")
GAMES = ("simulate", "fallujahcards", "--policy", "random", "--seed", "cluster", "--games", "240")


def test_missing_library_gives_a_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = companion("simulate", "fallujahcards", "--games", "2", "--cluster", "tcp://127.0.0.1:1")

    assert done.code == 2 and 'pip install "tabletop-companion[cluster]"' in done.err


@pytest.mark.parametrize(
    ("greeting", "said"),
    [(b"SSH-2.0-OpenSSH_9.6\r\n", "not a dask scheduler"), (b"", "not a dask scheduler"), (None, "timed out")],
)
def test_another_service_on_the_port_is_not_waited_for(
    greeting: bytes | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page of the web says nothing before it is asked, nor does the scheduler's own dashboard: the library waits for ever."""
    pytest.importorskip("distributed")
    monkeypatch.setattr(worker_pool, "CONNECT_TIMEOUT", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            line = server.accept()[0]
            if greeting is None:
                time.sleep(1)
            else:
                line.sendall(greeting)
            line.close()

        other = threading.Thread(target=answer)
        other.start()
        done = companion("simulate", "fallujahcards", "--games", "2", "--cluster", f"tcp://127.0.0.1:{server.getsockname()[1]}")
        other.join()

    told = " ".join(done.err.split())
    assert done.code == 2 and "there is no cluster at tcp://127.0.0.1" in told and said in told


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
def test_missing_cluster_or_workers(begin: Begin, tmp_path: Path) -> None:
    pytest.importorskip("distributed")

    assert "there is no cluster at tcp://127.0.0.1:9" in refused("tcp://127.0.0.1:9")
    assert "there is no cluster at nonsense" in refused("nonsense")
    assert "there is no cluster at tls://127.0.0.1" in refused(scheduler(begin, tmp_path)[1].replace("tcp", "tls"))
    assert "has no worker" in refused(scheduler(begin, tmp_path)[1])


@pytest.mark.slow
def test_killed_worker_loses_no_row(begin: Begin, tmp_path: Path) -> None:
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
def test_lost_cluster_keeps_finished_games(begin: Begin, tmp_path: Path) -> None:
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


def commands(page: str) -> list[list[str]]:
    """What a page says that one types to start a scheduler and its workers."""
    return [line.split() for line in re.findall(r"^(?:\.venv/bin/)?dask (.*)$", (ROOT / page).read_text(), re.M)]


@pytest.mark.long
def test_commands_of_the_page_start_a_cluster(begin: Begin, tmp_path: Path) -> None:
    """Processes of one thread each, at another port than that which is told."""
    pytest.importorskip("distributed")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
    told = [
        [word.replace("8786", port).replace("HOST", "127.0.0.1") for word in one]
        for one in commands("companion/docs/simulate.md")
    ]
    for words in told:
        begin(*words, "--no-dashboard")
    path = tmp_path / "x.csv"
    _waited_for(tmp_path / "1.log", f"Registered to: *tcp://127.0.0.1:{port}")
    played = begun(path, "--cluster", f"tcp://127.0.0.1:{port}")

    assert played.communicate(timeout=240)[1] == "" and len(rows(path)) == 240
    assert set(re.findall(r"Threads: +(\d+)", (tmp_path / "1.log").read_text())) == {"1"}


def _waited_for(log: Path, said: str) -> None:
    for _ in range(600):
        if re.search(said, log.read_text()):
            return
        time.sleep(0.1)
    raise AssertionError(log.read_text())


def test_page_shows_the_commands() -> None:
    assert len(commands("companion/docs/simulate.md")) == 2
