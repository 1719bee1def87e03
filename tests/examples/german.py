"""Another program plays the card game in German: it asks ``companion serve --stdio`` and says every text by its message.

    python german.py [SEED]

``german.toml`` beside it has the German of each template by its id, and that of the titles that stand in its fields.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

SERVER = [sys.executable, "-m", "companion", "serve", "--stdio"]
GERMAN = tomllib.loads(Path(__file__).with_name("german.toml").read_text(encoding="utf-8"))
Document = dict[str, Any]


def spoken(message: str | Mapping[str, Any]) -> str:
    """A message in German, in English if it is not known; a text that stands in a field by its title."""
    if isinstance(message, str):
        return GERMAN["titles"].get(message, message)
    if message["id"] not in GERMAN["texts"]:
        return message["text"]
    fields = {name: spoken(value) for name, value in message["arguments"].items()}
    return GERMAN["texts"][message["id"]].format(**fields)


def translated(item: Any) -> Any:
    """A document in German: each text that has a message of which ``german.toml`` has the template."""
    if isinstance(item, list):
        return [translated(one) for one in item]
    if not isinstance(item, dict):
        return item
    body = {key: translated(value) for key, value in item.items() if key != "messages"}
    for path, message in item.get("messages", {}).items() if isinstance(item.get("messages"), dict) else ():
        key, _, index = path.partition(".")
        if message["id"] in GERMAN["texts"]:
            if index:
                body[key][int(index)] = spoken(message)
            else:
                body[key] = spoken(message)
    return body


def documents(seed: int, archive: str, command: list[str] = SERVER) -> Iterator[Document]:
    """The documents of a whole game, as it is played: each question is answered with the suggestion."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8") as server:

        def ask(**request: Any) -> Document:
            server.stdin.write(json.dumps({"db": archive, "brief": True, "messages": True, **request}) + "\n")
            server.stdin.flush()
            return json.loads(server.stdout.readline())

        document = ask(do="new", game="fallujahcards", seed=str(seed), name="deutsch")
        while True:
            yield document
            if document.get("error") or document["over"]:
                break
            if document["pending"]:
                document = ask(do="answer", at=document["pending"]["at"], accept=True)
            else:
                document = ask(do="begin", action="turn")
        server.stdin.close()  # which ends it


def shown(document: Document) -> Iterator[str]:
    """What happened and what is asked, in German."""
    german = translated(document)
    yield from (line["text"] for line in german["lines"])
    if german["pending"]:
        yield f"? {german['pending']['prompt']}"


def main(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for document in documents(int(words[0]) if words else 1, str(Path(folder) / "archive.sqlite3")):
            for line in shown(document):
                print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
