"""Measure ``companion host``: the time from an answer to the other screens, many clients at once, and what it costs when idle.

    python -m tests.measures.host [--clients 50] [--answers 10000] [--game GAME]

The server runs in a process of its own, on loopback. Each client holds a stream of its seat; one whose question is open answers,
and all wait for the event with the new state. The time is from sending the answer to the event at a screen of another seat, by
one clock. Each answer must be in the log once. First three clients, then all; before them the processor's time of an idle host.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from math import sqrt
from statistics import mean, median, stdev
from typing import Any

from companion.games import GAMES
from companion.session.controller import SessionController
from companion.session.store import Archive

CLIENTS, ANSWERS, IDLE_SECONDS = 50, 10_000, 20


class Client:
    """A page: its stream, and its connection for answers."""

    def __init__(self, port: int, role: str, cookie: str) -> None:
        self.port, self.role, self.cookie = port, role, cookie
        self.state: Any = None
        self.arrived: dict[int, float] = {}
        self.changed = asyncio.Condition()

    async def open(self) -> None:
        """Open the stream and wait for the first state."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        self.writer.write(self._head("GET", "/events"))
        self.posts = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        self.task = asyncio.create_task(self._listen())
        async with self.changed:
            await self.changed.wait_for(lambda: self.state is not None)

    def _head(self, method: str, path: str, length: int = 0) -> bytes:
        host = f"127.0.0.1:{self.port}"
        fields = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {self.cookie}\r\n"
        if method == "POST":
            fields += f"Origin: http://{host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n"
        return f"{fields}\r\n".encode()

    async def _listen(self) -> None:
        while line := await self.reader.readline():
            if line.startswith(b"data: {") and len(line) > 12:
                now, state = time.perf_counter(), json.loads(line[6:])
                self.arrived[state["id"]] = now
                async with self.changed:
                    self.state = state
                    self.changed.notify_all()

    async def wait(self, seq: int) -> float:
        """Wait for the state with a row number; return when it arrived."""
        async with self.changed:
            await asyncio.wait_for(self.changed.wait_for(lambda: self.state["id"] >= seq), 60)
        return min(at for number, at in self.arrived.items() if number >= seq)

    async def post(self, path: str, body: Any) -> Any:
        """Send a request; return the state."""
        reader, writer = self.posts
        content = json.dumps(body).encode()
        writer.write(self._head("POST", path, len(content)) + content)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split()[0])
        state = json.loads(await reader.readexactly(length))
        assert head.split()[1] == b"200", (head, state)
        return state

    def close(self) -> None:
        self.task.cancel()
        self.writer.close()
        self.posts[1].close()


async def cookie_of(port: int, link: str) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /t/{link.rpartition('/')[2]} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    writer.close()
    return next(line for line in head.splitlines() if line.startswith("set-cookie")).partition(": ")[2].partition(";")[0]


def said_to(question: Any) -> list[Any]:
    """What is said to a question, in the order in which it is tried."""
    offered = [choice["value"] for choice in question["choices"]]
    least = max(question.get("low") or 1, 1) if question["kind"] == "pick" else 0
    values = [offered[:least]] if least else offered[:3] or [question.get("low", 1), question.get("example", "1")]
    return [{"accept": True}, *({"value": value} for value in values)]


async def play(port: int, links: dict[str, str], clients: int, answers: int) -> tuple[list[float], list[float], int]:
    """Answer so many questions; return the milliseconds to the other screens and to the answer itself, and rows answered."""
    cookies = {role: await cookie_of(port, link) for role, link in links.items()}
    roles = list(links)
    pages = [Client(port, role, cookies[role]) for number in range(clients) for role in [roles[number % len(roles)]]]
    for page in pages:
        await page.open()
    seats = [page for page in pages if page.role != "watch"]
    elsewhere, own, number = list[float](), list[float](), 0
    while number < answers:
        states = {page.role: page for page in seats if page.state["mine"]}
        if not states:
            break
        page = seats[number % len(seats)]
        page = page if page.role in states else next(iter(states.values()))
        others = [other for other in pages if other.role != page.role]
        question, seq = page.state["question"], page.state["id"]
        before = time.perf_counter()
        if question is None:
            free = [action["action"] for action in page.state["legal"] if action["possible"]]
            if not free:
                break
            state = await page.post("/do", {"action": free[0], "at_id": seq})
        else:
            state = None
            for said in said_to(question):
                try:
                    before = time.perf_counter()
                    state = await page.post("/answer", {"at": question["at"], **said})
                    break
                except AssertionError:
                    continue
            assert state is not None, question
            own.append((time.perf_counter() - before) * 1000)
        arrived = [await other.wait(state["id"]) for other in (*others, page)]
        if question is not None:
            elsewhere.append((arrived[0] - before) * 1000)
            number += 1
    for page in pages:
        page.close()
    return elsewhere, own, number


def shown(title: str, each: Sequence[float]) -> str:
    """Median, mean with its error, and the slowest hundredth."""
    ordered = sorted(each)
    error = stdev(each) / sqrt(len(each)) if len(each) > 1 else 0.0
    slow = ordered[int(len(ordered) * 0.99)]
    return (
        f"{title}: median {median(each):.1f} ms, mean {mean(each):.1f} +- {error:.1f}, 99 of 100 under {slow:.1f}, of {len(each)}"
    )


def processor_seconds(process: int) -> float:
    """Seconds of the processor that a process has taken."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    words = sys.argv[1:]

    def number(name: str, usual: int) -> int:
        return int(words[words.index(name) + 1]) if name in words else usual

    game = words[words.index("--game") + 1] if "--game" in words else "tiny"
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"COMPANION_DB": os.path.join(folder, "a.sqlite3"), "COMPANION_CONFIG": os.path.join(folder, "config.toml")}
        module = "companion"
        if game == "tiny":
            module, os.environ["TINY_GAME"] = "tests.support.with_tiny", "tests.support.tiny_haggle"
            from tests.support.with_tiny import register

            register()
        with Archive.open() as archive:
            SessionController.create(archive, game if game in GAMES else "tiny", seed="1", name="game")
        line = [sys.executable, "-m", "tests.measures.host", "--serve", module]
        with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            text = ""
            while not text.endswith("}\n") or text.count("{") != text.count("}"):
                text += process.stdout.readline()
            links = {link["role"]: link["link"] for link in json.loads(text)["links"]}
            port = int(links["watch"].split(":")[2].split("/")[0])
            begun = processor_seconds(process.pid)
            time.sleep(IDLE_SECONDS)
            idle = (processor_seconds(process.pid) - begun) / IDLE_SECONDS
            for clients, answers in ((3, 500), (number("--clients", CLIENTS), number("--answers", ANSWERS))):
                elsewhere, own, given = asyncio.run(play(port, links, clients, answers))
                sys.stdout.write(f"{game}, {clients} clients\n")
                sys.stdout.write(shown("  from an answer to the first other screen", elsewhere) + "\n")
                sys.stdout.write(shown("  from an answer to its own response", own) + "\n")
                sys.stdout.write(f"  {given} answers\n")
                sys.stdout.flush()
            process.terminate()
        with closing(sqlite3.connect(os.environ["COMPANION_DB"])) as file:
            typed = "json_extract(body, '$.source') <> 'only'"
            rows = file.execute(f"SELECT count(*) FROM log WHERE kind = 'reply' AND {typed}").fetchone()
        sys.stdout.write(f"{rows[0]} replies in the log; an idle host takes {idle * 100:.2f} % of a processor\n")


def serve() -> None:
    """Run the host without a limit of requests, as all clients have one address here."""
    from companion.web import app

    app.Limits.__new__.__defaults__ = (*app.Limits()[:2], 1e9, 1e9, 1e9, 1e9, 200, *app.Limits()[7:])
    sys.argv[1:] = ["host", "--port", "0", "--json"]
    if os.environ.get("TINY_GAME"):
        from tests.support.with_tiny import main as companion
    else:
        from companion.cli.shell.main import main as companion
    companion()


if __name__ == "__main__":
    serve() if "--serve" in sys.argv else main()
