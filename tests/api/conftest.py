"""An archive that is gone with the test, and a session of the made-up game in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion import api


@pytest.fixture
def shelf(tiny_game: str) -> Iterator[api.Archive]:
    with api.open_archive(api.MEMORY) as archive:
        yield archive


@pytest.fixture
def session(shelf: api.Archive) -> api.Session:
    return shelf.begin("tiny", seed=1)
