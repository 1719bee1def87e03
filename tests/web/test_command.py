"""`companion host` as it is typed: its links, its end, new links, addresses and seats."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import BadData, Unreadable
from companion.games import GAMES
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.web.command import bind, code_rows, read_place, seat_roles
from companion.web.tokens import WATCH
from tests.cli.test_interrupts import Terminal
from tests.support import tiny
from tests.support.checkout import ROOT
from tests.support.commands import companion
from tests.support.shapes import hold

PATIENCE = 60.0


@pytest.fixture
def haggle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_haggle")
    monkeypatch.setenv("COMPANION_TABLES", tiny.TABLES)
    monkeypatch.setenv("TINY_GAME", "tests.support.tiny_haggle")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with Archive.open() as archive:
        SessionController.create(archive, "tiny", seed="1", name="game")


@contextmanager
def started(*words: str, json_links: bool = True) -> Iterator[subprocess.Popen[str]]:
    """A host in a process of its own."""
    line = [sys.executable, "-m", "tests.support.with_tiny", "host", "--port", "0", *words, *(["--json"] if json_links else [])]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def links_of(process: subprocess.Popen[str]) -> dict[str, str]:
    """The links that a host prints as JSON, by role."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if line == "}\n":
            break
    hold(["host", "--json"], text)
    return {link["role"]: link["link"] for link in json.loads(text)["links"]}


def opened(link: str) -> HTTPConnection:
    """A connection to the host of a link."""
    return HTTPConnection(link.split("/")[2], timeout=PATIENCE)


def cookie_of(link: str) -> str:
    """The cookie that a link gives; "" if it is not valid."""
    with closing(opened(link)) as connection:
        connection.request("GET", f"/t/{link.rpartition('/')[2]}")
        return (connection.getresponse().getheader("set-cookie") or "").partition(";")[0]


def state_of(link: str, cookie: str) -> tuple[int, Any]:
    with closing(opened(link)) as connection:
        connection.request("GET", "/state", headers={"Cookie": cookie})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def rows_of(path: Path) -> list[Any]:
    with closing(sqlite3.connect(path)) as file:
        return [file.execute(f"SELECT * FROM {table}").fetchall() for table in ("state", "log", "sessions", "printed")]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_signal_ends_the_host_and_leaves_nothing_behind(haggle: None, tmp_path: Path, number: int) -> None:
    before = rows_of(tmp_path / "archive.sqlite3"), sorted(path.name for path in tmp_path.iterdir())
    with started() as process:
        link = links_of(process)["red"]
        cookie = cookie_of(link)
        stream = opened(link)
        stream.request("GET", "/events", headers={"Cookie": cookie})
        assert stream.getresponse().status == 200
        begun = time.monotonic()
        process.send_signal(number)
        _, errors = process.communicate(timeout=PATIENCE)

        assert process.returncode == 130
        assert time.monotonic() - begun < 10
        assert "Traceback" not in errors
        with pytest.raises(ConnectionRefusedError):
            cookie_of(link)
        stream.close()
    assert (rows_of(tmp_path / "archive.sqlite3"), sorted(path.name for path in tmp_path.iterdir())) == before


@pytest.mark.slow
def test_host_and_other_commands_share_a_session(haggle: None) -> None:
    """Whoever answers first is first, and the host shows it at once."""
    with started("--seat", "red=Ann") as process:
        links = links_of(process)
        assert set(links) == {"red", WATCH}
        cookie = cookie_of(links["red"])
        assert state_of(links["red"], cookie)[1]["at"] == ""
        assert companion("do", "banter", "3").code == 3
        assert state_of(links["red"], cookie)[1]["at"] == "2.2"


@pytest.mark.slow
def test_new_links_end_the_old_ones_of_a_running_host(haggle: None, tmp_path: Path) -> None:
    with started(json_links=False) as process:
        assert process.stdout is not None
        text = ""
        while "Ctrl-C ends" not in text:
            text += process.stdout.readline()
        assert "\u2588" not in text  # without a terminal there are no codes
        links = [word for word in text.split() if "/t/" in word]
        assert len(links) == 3
        cookies = [cookie_of(link) for link in links]
        done = companion("host", "--revoke", "--seat", "red", "--json")

        assert (done.code, done.json["revoked"], done.json["hosts"]) == (0, ["red"], 1)
        assert [state_of(link, cookie)[0] for link, cookie in zip(links, cookies, strict=True)] == [401, 200, 200]
        assert cookie_of(links[0]) == ""
        line = ""
        while "/t/" not in line:
            line = process.stdout.readline()
        renewed = line.split()[-1]
        assert renewed not in links
        assert state_of(renewed, cookie_of(renewed))[0] == 200
        assert companion("host", "--revoke").code == 0
        assert {state_of(link, cookie)[0] for link, cookie in zip(links, cookies, strict=True)} == {401}
    assert not [row for row in rows_of(tmp_path / "archive.sqlite3")[0] if "host" in str(row)]


def test_new_links_without_a_host(haggle: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.command._HEED_SECONDS", 0.1)
    done = companion("host", "--revoke")

    assert done.code == 2
    assert "no host of the session game is running" in done.err
    assert "companion host" in done.err
    done = companion("host", "--revoke", "--lan")
    assert (done.code, "companion host --revoke" in done.err) == (2, True)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_terminal_shows_a_code_for_each_link(haggle: None, tmp_path: Path) -> None:
    environment = {"COMPANION_DB": str(tmp_path / "archive.sqlite3"), "TINY_GAME": "tests.support.tiny_haggle"}
    terminal = Terminal("tests.support.with_tiny", ["host", "--port", "0"], tmp_path, environment)
    terminal.wait(lambda written: b"Whoever" in written)
    time.sleep(1.5)  # a bar would be drawn after a second
    terminal.type(b"\x03")

    assert terminal.exit_code() == 130
    text = terminal.written.decode()
    links = [word for word in text.split() if "/t/" in word]
    assert len(links) == 3
    assert [row for link in links for row in code_rows(link) if row not in text] == []
    assert "Traceback" not in text


def test_code_is_that_of_the_link_and_fits_the_screen() -> None:
    import segno

    for link in ("http://192.168.100.100:65535/t/" + "x" * 22, "https://companion.play.example.org:8443/t/" + "y" * 22):
        rows = code_rows(link)
        code = segno.make(link, error="l", boost_error=False, micro=False)
        expected = [[bool(module) for module in row] for row in code.matrix_iter(border=2)]
        shown: list[list[bool]] = []
        for row in rows:
            shown += [[mark in " \u2584" for mark in row], [mark in " \u2580" for mark in row]]

        assert shown[: len(expected)] == expected
        assert len(rows[0]) <= 41
        assert len(rows) <= 21


def test_server_is_loaded_by_no_other_command(haggle: None) -> None:
    """The server's libraries are loaded by `host` alone."""
    code = (
        "import sys; sys.argv[1:] = ['status']; import atexit;"
        "of_server = {'starlette', 'uvicorn', 'segno', 'anyio', 'h11', 'companion.web'};"
        "atexit.register(lambda: print(sorted(of_server & set(sys.modules))));"
        "import os; os._exit = sys.exit; from tests.support.with_tiny import main; main()"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout

    assert out.rstrip().endswith("[]")


# -- addresses ------------------------------------------------------------------------------------------------------------------


def origins(*words: Any) -> list[str]:
    return [address.origin for address in read_place(*words).addresses(8807)]


def test_addresses_under_which_the_page_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.server.lan_address", lambda: "192.168.1.7")

    assert origins(False, "") == ["http://localhost:8807", "http://127.0.0.1:8807"]
    assert origins(True, "") == ["http://192.168.1.7:8807"]
    assert origins(False, "100.64.0.7") == ["http://100.64.0.7:8807"]
    assert origins(False, "::1") == ["http://localhost:8807", "http://127.0.0.1:8807", "http://[::1]:8807"]
    assert origins(False, "https://Play.Example.org/") == [*origins(False, ""), "https://play.example.org"]
    assert origins(True, "https://play.example.org:444") == [*origins(True, ""), "https://play.example.org:444"]
    assert read_place(False, "").addresses(80)[-1].origin == "http://127.0.0.1"


@pytest.mark.parametrize(
    "address", ["0.0.0.0", "::", "224.0.0.1", "play.example.org", "ftp://x", "https://", "https://a@b", "https://x/y"]
)
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_place(False, address)
    assert refused.value.cure


def test_port_that_is_in_use(haggle: None) -> None:
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        done = companion("host", "--port", str(port))
        assert done.code == 4
        assert "--port 0" in done.err
    for bad in (65_536, 1 << 40):
        with pytest.raises((Unreadable, BadData)):
            bind("127.0.0.1", bad)
    with pytest.raises(BadData):
        bind("192.0.2.1", 0)


def test_usual_port_is_left_where_it_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with bind("127.0.0.1", 0) as taken:
        monkeypatch.setattr("companion.web.command.USUAL_PORT", taken.getsockname()[1])
        with bind("127.0.0.1", None) as other:
            assert other.getsockname()[1] != taken.getsockname()[1]


# -- seats ----------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def new_session(haggle: None) -> Iterator[Callable[..., SessionController]]:
    with Archive.open() as archive:
        yield lambda **options: SessionController.create(archive, "tiny", "", options, seed="1")


def test_seats_that_get_links(new_session: Callable[..., SessionController]) -> None:
    session = new_session()
    named = {role.id: (role.title, role.player) for role in seat_roles(session, ["b=Bob Ross"])}

    assert named == {"blue": ("Blue", "Bob Ross"), WATCH: ("Watch", "")}
    assert [role.id for role in seat_roles(session, [])] == ["red", "blue", WATCH]
    assert [role.id for role in seat_roles(new_session(blue="bot"), [])] == ["red", WATCH]
    for words in (["green"], ["blue"]):
        with pytest.raises(Unreadable) as refused:
            seat_roles(new_session(blue="bot"), words)
        assert "red" in str(refused.value)


def test_game_for_one_has_two_links() -> None:
    with Archive.open() as archive:
        roles = seat_roles(SessionController.create(archive, "fallujahcards", seed="1"), [])

    assert [role.plays for role in roles] == [True, False]
