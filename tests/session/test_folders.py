"""The folders are those of platformdirs, although that is not imported where it can be spared."""

from __future__ import annotations

import sys

import platformdirs
import pytest

from companion.session import files
from companion.session.database import archive_path


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere platformdirs itself is asked")
@pytest.mark.parametrize("base", [None, "", "  ", "/elsewhere", "relative"])
def test_same_as_platformdirs(monkeypatch: pytest.MonkeyPatch, base: str | None) -> None:
    monkeypatch.delenv("COMPANION_CACHE", raising=False)
    monkeypatch.delenv("COMPANION_CONFIG", raising=False)
    for variable in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        if base is None:
            monkeypatch.delenv(variable, raising=False)
        else:
            monkeypatch.setenv(variable, base)
    if base != "relative":  # an XDG path that is not absolute is to be ignored, says the XDG specification
        assert files.user_folder("data") == platformdirs.user_data_dir("companion", appauthor=False)
        assert files.cache_folder() == platformdirs.user_cache_dir("companion", appauthor=False)
        assert files.config_file() == platformdirs.user_config_dir("companion", appauthor=False) + "/config.toml"
    assert files.user_folder("data").startswith("/")


def test_other_systems_use_platformdirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_CACHE", raising=False)
    monkeypatch.delenv("COMPANION_CONFIG", raising=False)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert files.user_folder("data") == platformdirs.user_data_dir("companion", appauthor=False)
    assert files.cache_folder() == platformdirs.user_cache_dir("companion", appauthor=False)
    assert files.config_file().startswith(platformdirs.user_config_dir("companion", appauthor=False))


def test_archive_is_at_the_requested_path(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("COMPANION_DB", "/somewhere/a.db")
    assert archive_path("b.db").endswith("/b.db")
    assert archive_path() == "/somewhere/a.db"
    monkeypatch.delenv("COMPANION_DB")
    assert archive_path() == files.user_folder("data") + "/companion.sqlite3"
