"""The citation, the issue forms and the template of pull requests are well formed and up to date."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from companion import __version__
from tests.support.pages import ROOT

GITHUB = ROOT / ".github"
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
FIELDS = {"dropdown", "input", "textarea", "checkboxes"}
"""The kinds of fields that take an answer, as the service defines them."""


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_citation_names_this_version() -> None:
    citation = read(ROOT / "CITATION.cff")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert citation["version"] == __version__
    assert citation["license"] == project["license"]
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in project["authors"]]
    assert {"cff-version", "message", "title", "type"} <= citation.keys()


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_issue_form_has_what_the_service_requires(path: Path) -> None:
    form = read(path)

    assert form["name"] and form["description"]
    ids = [field["id"] for field in form["body"] if field["type"] in FIELDS]
    assert len(ids) == len(set(ids)) > 0
    for field in form["body"]:
        assert field["type"] in FIELDS | {"markdown"}
        assert field["attributes"]["label"]
        assert field["type"] != "dropdown" or len(set(field["attributes"]["options"])) == len(field["attributes"]["options"]) > 1


def test_form_of_rules_lists_the_games() -> None:
    titles = {tomllib.loads(path.read_text(encoding="utf-8"))["title"] for path in (ROOT / "tables").glob("*/game.toml")}
    *options, other = read(GITHUB / "ISSUE_TEMPLATE" / "rule.yml")["body"][0]["attributes"]["options"]

    assert set(options) == titles
    assert other == "A game of another author"


def test_templates_name_commands_that_exist() -> None:
    from companion.cli.shell.catalog import COMMANDS

    paths = [*FORMS, GITHUB / "PULL_REQUEST_TEMPLATE.md"]
    named = {name for path in paths for name in re.findall(r"`companion (\w+)", path.read_text(encoding="utf-8"))}
    assert named
    assert named <= COMMANDS.keys()
