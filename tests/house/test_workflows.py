"""The workflows of the service that hosts the project: they are well formed and name what exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.checkout import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
NOXFILE = ROOT / "noxfile.py"


def read(path: Path) -> dict[Any, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def jobs(path: Path) -> dict[str, Any]:
    return read(path)["jobs"]


def commands(path: Path) -> list[str]:
    return [step["run"] for job in jobs(path).values() for step in job.get("steps", ()) if "run" in step]


def sessions() -> set[str]:
    tree = ast.parse(NOXFILE.read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {node.name for node in functions if any("nox.session" in ast.unparse(line) for line in node.decorator_list)}


def pythons() -> list[str]:
    assignment = re.search(r"^PYTHONS = (.*)$", NOXFILE.read_text(encoding="utf-8"), re.M)
    assert assignment
    return list(ast.literal_eval(assignment[1]))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_has_what_the_service_requires(path: Path) -> None:
    workflow = read(path)

    assert workflow["name"] and workflow["permissions"] == {"contents": "read"}
    assert workflow.get(True)  # YAML 1.1 reads `on` as a truth value
    for name, job in workflow["jobs"].items():
        others = job.get("needs", [])
        assert set([others] if isinstance(others, str) else others) <= workflow["jobs"].keys() - {name}
        assert ("uses" in job) != ("runs-on" in job and bool(job["steps"]))
        if job.get("uses", "").startswith("./"):
            called = read(ROOT / job["uses"])
            assert "workflow_call" in called[True]
        for step in job.get("steps", ()):
            assert ("run" in step) != bool(re.fullmatch(r"actions/[\w-]+@v\d+", step.get("uses", "")))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_expressions_name_parts_of_the_matrix(path: Path) -> None:
    """The service gives "" for a name that does not exist."""
    for name, job in jobs(path).items():
        matrix = job.get("strategy", {}).get("matrix", {})
        assert set(re.findall(r"matrix\.(\w+)", str(job))) <= matrix.keys(), name


def test_sessions_and_files_that_are_named_exist() -> None:
    lines = [re.sub(r"\$\{\{ matrix\.python \}\}", "3.11", line) for path in WORKFLOWS for line in commands(path)]
    named = [name for line in lines if line.startswith("nox -s ") for name in line.removeprefix("nox -s ").split()]
    programs = [line.split()[0] for line in lines if line.startswith(".")]

    assert {"tests", "executable", "packages", "sbom"} == {name.removesuffix("-3.11") for name in named} <= sessions()
    assert programs and all((ROOT / program).is_file() for program in programs)


def test_tests_run_on_each_system_and_python() -> None:
    matrix = jobs(ROOT / ".github" / "workflows" / "ci.yml")["tests"]["strategy"]["matrix"]

    assert matrix["python"] == pythons()
    assert [system.partition("-")[0] for system in matrix["system"]] == ["ubuntu", "windows", "macos"]


def test_release_waits_for_tests_and_attaches_all_that_is_built() -> None:
    release = jobs(ROOT / ".github" / "workflows" / "release.yml")
    uploaded = {
        step["with"]["path"] for job in release.values() for step in job.get("steps", ()) if "upload" in step.get("uses", "")
    }
    written = set(re.findall(r'"(dist/\w+)["/]', NOXFILE.read_text(encoding="utf-8")))

    assert set(release["release"]["needs"]) == release.keys() - {"release"}
    assert uploaded == {f"{folder}/*" for folder in written}
