"""Every JSON document of the tests is held against the schema; a key that no table of protocol.md has is a fault here.

``python -m tests.support.shapes`` adds to what protocol 1 promises: every key with its type, as clients of it go by them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator

from companion.cli.shell import schema
from companion.cli.shell.arguments import common_options_last
from companion.cli.shell.catalog import COMMANDS
from companion.core.text import pick_name

PROMISED = Path(__file__).parents[1] / "cli" / "protocol_1.json"
"""Shape -> key -> its type, and whether it is always there. A key that goes needs another number of the protocol."""


def told() -> dict[str, Any]:
    """The same as the page has it now."""
    return {name: _told_keys(schema) for name, schema in schema.read_shapes(schema.protocol_page()).schemas.items()}


def _told_keys(schema: Mapping[str, Any]) -> dict[str, Any]:
    if "properties" not in schema:
        return {"": _bare(schema)}
    required = schema["required"]
    return {key: [key in required, _bare(one)] for key, one in schema["properties"].items()}


def _bare(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "description"}


@cache
def _shapes() -> schema.Shapes:
    return schema.read_shapes(schema.protocol_page(), strict=True)


@cache
def _validator(document: str) -> Draft202012Validator:
    return Draft202012Validator(schema.json_schema(_shapes(), document))


def documents(argv: Sequence[str]) -> tuple[str, ...]:
    """The documents that a command line may print."""
    word = common_options_last(argv)[0]
    found = _shapes().commands
    return found["--version"] if word.startswith("--version") else found[pick_name(word, list(COMMANDS), "command")]


def faults(argv: Sequence[str], data: Mapping[str, Any]) -> list[str]:
    """What of a document is not as the page tells, by the nearest document of its command; none where all is well."""
    each = []
    for document in (schema.ERROR,) if "exit" in data else documents(argv):
        found = [
            f"{document}: {'.'.join(map(str, one.instance_path))}: {one.message}"
            for one in _validator(document).iter_errors(data)
        ]
        if not found:
            return []
        each.append(found)
    return min(each, key=len)


def any_faults(data: Mapping[str, Any]) -> list[str]:
    """The same of a document of any command, by the one that it is nearest to."""
    if "error" in data:
        return [one.message for one in _validator(schema.ERROR).iter_errors(data)]
    by_keys = [name for name in _documents() if _keys(name) >= data.keys()]
    if any(_validator(name).is_valid(data) for name in by_keys):
        return []
    near = min(_documents(), key=lambda name: len(_keys(name) ^ data.keys()))
    told = (f"{near}: {'.'.join(map(str, one.instance_path))}: {one.message}" for one in _validator(near).iter_errors(data))
    return list(told)


@cache
def _documents() -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for told in _shapes().commands.values() for one in told))


@cache
def _keys(document: str) -> frozenset[str]:
    return frozenset(_shapes().schemas[document]["properties"])


def hold(argv: Sequence[str], out: str) -> None:
    """See to it that what a command printed as JSON is one document, and as the page tells."""
    wanted = "--json" in argv or argv[:1] == ["schema"]
    if wanted and out.strip():
        found = faults(argv, json.loads(out))
        assert not found, f"companion {' '.join(argv)}\n" + "\n".join(found[:12])


if __name__ == "__main__":
    PROMISED.write_text(json.dumps(told(), indent=1, sort_keys=True) + "\n")
