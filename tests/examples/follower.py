"""Another program looks on: it prints what others play in a session, as it happens.

    python follower.py SESSION [ARCHIVE]

It asks ``companion serve --stdio`` for the session once, to follow it, and then only listens, until the game is over.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

SERVER = [sys.executable, "-m", "companion", "serve", "--stdio"]
Document = dict[str, Any]


def told(session: str, archive: str = "", command: list[str] = SERVER) -> Iterator[Document]:
    """Where the session is, and then what comes about in it, until the game is over."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8") as server:
        request = {"id": 1, "do": "follow", "session": session, **({"db": archive} if archive else {})}
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        for line in server.stdout:
            document: Document = json.loads(line)
            if "error" in document:
                raise SystemExit(document["error"]["message"])
            yield document
            if document["over"]:
                break
        server.stdin.close()  # which ends it


def shown(document: Document) -> Iterator[str]:
    """Where it is, what happened, what to put right on the table, and what is asked, in words."""
    if "notice" not in document:
        yield f"{document['session']}: {document['banner']['stage']}"
    yield from (line["text"] for line in document["lines"])
    yield from (f"On the table: {line}" for line in document["fix"])
    yield from (f"Note: {note}" for note in document["notes"])
    if document["pending"]:
        yield f"? {document['pending']['prompt']}"
    if document["over"]:
        yield f"Over: {document['over']}"


def main(words: list[str]) -> None:
    for document in told(*words):
        for line in shown(document):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
