"""The server as clients start it: a process of its own over standard input and output."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import companion
from tests.support.model import launched

GAME = "fallujahcards"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


@contextmanager
def server(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server whose lines the test reads and writes itself."""
    arguments = [sys.executable, "-m", "companion", "mcp", *words]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def asked(process: subprocess.Popen[bytes], **message: Any) -> Any:
    """The next line of the server, after a message."""
    assert process.stdin and process.stdout
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def greeted(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin
    assert asked(process, **HELLO)["result"]["serverInfo"]["name"] == "companion"
    process.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')


def called(process: subprocess.Popen[bytes], number: int, name: str, **arguments: Any) -> Any:
    return asked(process, id=number, method="tools/call", params={"name": name, "arguments": arguments})["result"]


@pytest.mark.slow
@pytest.mark.anyio
async def test_two_clients_play_one_session(db: str) -> None:
    async with launched("--db", db) as one, launched("--db", db) as other:
        await one.call("new", game=GAME, seed="1", name="april")
        await one.call("do", action="turn")
        state = await other.call("state")
        for _ in range(6):
            mover, waiter = (one, other) if len(one.texts) <= len(other.texts) else (other, one)
            question = state.get("question")
            if question:
                await mover.call("answer", at=question["at"], accept=True)
                late = await waiter.refused("answer", at=question["at"], value="zzz")
                assert late["error"]["kind"] in ("stale", "unreadable")
            else:
                await mover.call("do", action="turn")
            state = await waiter.call("state")
        assert (await one.call("state")).keys() - {"meanwhile"} == (await other.call("state")).keys() - {"meanwhile"}
        assert (await one.call("log", last=50))["entries"] == (await other.call("log", last=50))["entries"]


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_server_that_is_killed_loses_no_answer(db: str) -> None:
    """Killed right after each result: what it said was done is there."""
    for number in range(4):
        with server("--db", db) as process:
            greeted(process)
            if not number:
                called(process, 2, "new", game=GAME, seed="1")
            state = called(process, 3, "state")["structuredContent"]
            question = state.get("question")
            call = ("answer", {"at": question["at"], "accept": True}) if question else ("do", {"action": "turn"})
            done = called(process, 4, call[0], **call[1])
            process.kill()
        async with launched("--db", db) as model:
            found = await model.call("state")
            said = done["structuredContent"]
            assert {key: found.get(key) for key in ("figures", "question", "actions")} == {
                key: said.get(key) for key in ("figures", "question", "actions")
            }


@pytest.mark.slow
def test_it_ends_with_its_input_and_on_ctrl_c(db: str) -> None:
    for sent, code in ((None, 0), (signal.SIGINT, 130)):
        with server("--db", db) as process:
            greeted(process)
            called(process, 2, "state")
            if sent:
                process.send_signal(sent)
            out, err = process.communicate(timeout=20)
            assert (process.returncode, out, err) == (code, b"", b"")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_on_a_terminal_it_says_what_it_waits_for() -> None:
    import pty

    outer, inner = pty.openpty()
    arguments = [sys.executable, "-m", "companion", "mcp"]
    with subprocess.Popen(arguments, stdin=inner, stdout=inner, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        line = process.stderr.readline().strip()
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)
    os.close(inner)
    os.close(outer)

    assert line == "Waiting for a client on standard input; Ctrl-C ends. See: companion help mcp"
    assert companion("help", "mcp").out.startswith("A language model at the table")


@pytest.mark.slow
def test_lines_that_are_no_messages_are_survived(db: str) -> None:
    with server("--db", db) as process:
        greeted(process)
        assert process.stdin
        process.stdin.write(b"hello\n[]\n\xff\xfe\n" + b"[" * 100_000 + b"\n")
        assert called(process, 2, "state")["isError"]
        assert asked(process, id=3, method="tools/call", params={"name": 3})["error"]["code"] == -32602
        assert asked(process, id=4, method="dance")["error"]["code"] == -32601
        assert called(process, 5, "rule", game=GAME, text="tactics")["structuredContent"]["rules"]


@pytest.mark.slow
def test_without_the_package_one_line_says_what_to_install() -> None:
    script = "import sys; sys.modules['mcp'] = None; sys.argv = ['companion', 'mcp']\n"
    script += "from companion.cli.shell.main import main; main()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "the package mcp is not installed\n  pip install 'tabletop-companion[mcp]'\n"


@pytest.mark.slow
def test_no_other_command_loads_the_package(db: str) -> None:
    script = "import sys; sys.argv = ['companion', 'new', 'fallujahcards', '--json']; from companion.cli.shell.main import main\n"
    script += (
        "import atexit; atexit.register(lambda: print([name for name in ('mcp', 'pydantic') if name in sys.modules]))\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert done.stdout.endswith("}\n[]\n"), done.stdout[-300:] + done.stderr


def test_what_is_wrong_with_the_command_line_is_said_at_once(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert companion("mcp", "--session", "none", "--db", db).code == 2
    companion("new", GAME, "--name", "april", "--db", db)
    for words, message in (
        (("--session", "none"), "no session 'none'"),
        (("--seat", "none"), "no seat 'none'"),
        (("--read-only", "extra"), "extra"),
    ):
        done = companion("mcp", *words, "--db", db)
        assert done.code == 2 and message in done.err, done


@pytest.mark.slow
@pytest.mark.anyio
async def test_the_archive_is_that_of_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --db the one that was played last; with --practice that of the practice games, in which new games are made up."""
    usual = str(tmp_path / "usual.sqlite3")
    companion("new", GAME, "--name", "april", "--db", usual)
    time.sleep(1.1)  # the moment of play is kept in seconds
    companion("practice", "lzalbany", "--db", usual)
    monkeypatch.setenv("COMPANION_DB", usual)
    env = {"COMPANION_DB": usual}
    async with launched(env=env) as model:
        assert (await model.call("state"))["session"] == "made-up-1"
    async with launched("--db", usual, env=env) as model:
        assert (await model.call("state"))["session"] == "april"
    async with launched("--practice", env=env) as model:
        assert (await model.call("new", game="phantom"))["session"] == "made-up-2"
        tool = next(tool for tool in (await model.client.list_tools()).tools if tool.name == "new")
        assert set(tool.input_schema["properties"]) == {"game", "scenario", "options", "seed"}
    assert sorted(os.listdir(tmp_path))[0] == "usual-practice.sqlite3"
