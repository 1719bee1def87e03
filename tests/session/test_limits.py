"""What is beyond a limit is refused in a line that tells the limit, and nothing of it is kept."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core import limits
from tests.support.commands import Result, companion
from tests.support.connections import connected


@pytest.fixture
def begun(tiny_game: str) -> str:
    """A session, and an archive to look at."""
    assert companion("new", "tiny", "--seed", "1", "--name", "first").code == 0
    companion("do", "march", "Red", "ford")
    return tiny_game


def written(path: Path, content: str | bytes) -> str:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def large(path: Path, size: int) -> str:
    """A file of that many bytes that takes no room."""
    path.touch()
    os.truncate(path, size)
    return str(path)


def facts_file(path: Path) -> Result:
    return companion("printed", "tiny", "import", written(path, "#" * (limits.FACTS_FILE + 1)))


def facts(path: Path) -> Result:
    many = "\n".join(f'"depth:x{number}" = "1"' for number in range(limits.FACTS + 1))
    return companion("printed", "tiny", "import", written(path, f'format = 1\ngame = "tiny"\n[facts]\n{many}\n'))


def fact(_: Path) -> Result:
    return companion("printed", "tiny", "set", "depth:north", "1" * (limits.FACT + 1))


def map_lines(path: Path) -> Result:
    lines = "\n".join(f"x{number}: y{number}" for number in range(limits.MAP_LINES + 1))
    return companion("map", "tiny", "import", written(path, lines))


def bundle(path: Path) -> Result:
    return companion("bundle", "--restore", large(path, limits.BUNDLE + 1))


def changed(path: Path, change: Callable[[dict[str, object]], None]) -> Result:
    """The bundle of the session, restored with a change."""
    companion("bundle", str(path))
    document = json.loads(path.read_text())
    change(document)
    return companion("bundle", "--restore", written(path, json.dumps(document)))


def rows(path: Path) -> Result:
    return changed(path, lambda document: document.update(rows=[0] * (limits.ROWS + 1)))


def depth(path: Path) -> Result:
    nested: list[object] = []
    for _ in range(limits.DEEPEST):
        nested = [nested]
    return changed(path, lambda document: document.update(printed={"x": nested}))


def seed_of_a_bundle(path: Path) -> Result:
    return changed(path, lambda document: document["session"].update(seed="9" * (limits.SEED + 1)))  # type: ignore[attr-defined]


def name_of_a_bundle(path: Path) -> Result:
    return changed(path, lambda document: document["session"].update(name="n" * (limits.NAME + 1)))  # type: ignore[attr-defined]


def name(_: Path) -> Result:
    return companion("new", "tiny", "--name", "n" * (limits.NAME + 1))


def name_of_a_branch(_: Path) -> Result:
    return companion("branch", "n" * (limits.NAME + 1))


def note(_: Path) -> Result:
    return companion("note", "n" * (limits.NOTE + 1))


def seed(_: Path) -> Result:
    return companion("new", "tiny", "--seed", "9" * (limits.SEED + 1))


def games(_: Path) -> Result:
    return companion("simulate", "tiny", "--games", str(limits.GAMES + 1))


def series(path: Path) -> Result:
    return companion("stats", "tiny", "--against", large(path, limits.SERIES + 1))


@pytest.mark.parametrize(
    ("ask", "limit"),
    [
        (facts_file, limits.FACTS_FILE),
        (facts, limits.FACTS),
        (fact, limits.FACT),
        (map_lines, limits.MAP_LINES),
        (bundle, limits.BUNDLE),
        (rows, limits.ROWS),
        (depth, "too deeply"),
        (seed_of_a_bundle, "seed: is too long"),
        (name_of_a_bundle, "name: is too long"),
        (name, limits.NAME),
        (name_of_a_branch, limits.NAME),
        (note, limits.NOTE),
        (seed, limits.SEED),
        (games, limits.GAMES),
        (series, limits.SERIES),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_input_over_the_limit_is_refused(begun: str, tmp_path: Path, ask: Callable[[Path], Result], limit: int | str) -> None:
    before = companion("sessions", "--json").json, companion("printed", "tiny", "--json").json

    refused = ask(tmp_path / "file")

    said = " ".join(refused.err.split())
    assert refused.code in (2, 4), refused
    assert str(limit) in said.replace(",", "").replace(" 000", "000").replace("50 MB", str(limits.BUNDLE)), said
    assert len(said) < 1500 and "Traceback" not in said
    assert (companion("sessions", "--json").json, companion("printed", "tiny", "--json").json) == before


def test_input_at_the_limit_is_accepted(begun: str) -> None:
    assert companion("branch", "n" * limits.NAME).code == 0
    assert companion("note", "n" * limits.NOTE).code == 0
    assert companion("new", "tiny", "--seed", "9" * limits.SEED).code == 0


def test_size_and_number_of_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: str) -> None:
    folder = tmp_path / "tables" / "tiny"
    folder.mkdir(parents=True)
    monkeypatch.setenv("COMPANION_TABLES", str(folder.parent))
    large(folder / "game.toml", limits.TABLE + 1)
    refused = companion("tables", "check", "tiny")
    assert refused.code == 4 and f"larger than {limits.TABLE} bytes" in " ".join((refused.out + refused.err).split())
    for number in range(limits.TABLES):
        (folder / f"x{number}.toml").touch()
    refused = companion("tables", "check", "tiny")
    assert refused.code == 4 and f"at most {limits.TABLES}" in " ".join((refused.out + refused.err).split())


def test_pipe_in_place_of_a_table_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: str) -> None:
    folder = tmp_path / "tables" / "tiny"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "game.toml")
    monkeypatch.setenv("COMPANION_TABLES", str(folder.parent))
    assert companion("tables", "check", "tiny").code == 4


@pytest.mark.parametrize("how", ["large", "fifo"])
def test_settings(tmp_path: Path, begun: str, how: str) -> None:
    path = Path(os.environ["COMPANION_CONFIG"])
    if how == "large":
        large(path, limits.CONFIG + 1)
    else:
        os.mkfifo(path)
    told = companion("status")
    assert told.code == 0
    assert how == "fifo" or f"larger than {limits.CONFIG} bytes" in " ".join(
        (told.out + told.err + companion("config").out).split()
    )


def test_log_of_an_archive(begun: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ROWS", 3)
    refused = companion("status")
    assert refused.code == 4 and "more than 3 rows" in refused.err


def test_oversized_cell(begun: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with connected(os.environ["COMPANION_DB"]) as raw:
        raw.execute("INSERT INTO log VALUES (1, 99, 'note', 1, ?, 't')", (json.dumps({"text": "x" * 200_000}),))
    raw.close()
    monkeypatch.setattr(limits, "BODY", 100_000)
    refused = companion("status")
    assert refused.code == 4 and "larger than 100000 bytes" in " ".join(refused.err.split()) and "companion doctor" in refused.err
