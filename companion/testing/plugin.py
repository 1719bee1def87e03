"""The pytest plug-in: the game under test, contract tests that it is known to fail, and fixtures."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.testing import game_named

EXPECTED = "companion_expected"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("companion", "contract tests of a game of Companion")
    group.addoption("--game", metavar="ID", default="", help="the game that companion.testing looks at")
    parser.addini("companion_game", "the game that companion.testing looks at", default="")
    parser.addini("companion_tests", "the folder of its own tests", default="tests")
    parser.addini(EXPECTED, "laws that it does not keep, 'test_name: reason' a line", type="linelist", default=[])


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes seconds; run with -m slow")
    config.addinivalue_line("markers", "long: takes minutes; run with -m long")
    if game_named(config):
        from companion.testing import fixtures

        config.pluginmanager.register(fixtures, "companion.testing.fixtures")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not game_named(config):
        return
    check_game(game_named(config))
    reasons = dict(_reasons(config.getini(EXPECTED)))
    if any(getattr(getattr(item, "module", None), "__name__", "").startswith("companion.testing.") for item in items):
        check_rules(game_named(config))
    for item in items:
        if reason := reasons.get(getattr(item, "originalname", item.name)):
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
    if not config.getoption("-m"):
        later = [item for item in items if item.get_closest_marker("slow") or item.get_closest_marker("long")]
        items[:] = [item for item in items if item not in later]
        config.hook.pytest_deselected(items=later)


def check_game(name: str) -> None:
    """Load the game once: a fault in its tables would else be an error of every test. Raises UsageError: it cannot be loaded."""
    from companion.core.errors import CompanionError
    from companion.session.plugins import resolve_game_id
    from companion.session.state import load_game

    try:
        load_game(resolve_game_id(name))
    except CompanionError as fault:
        faults = "".join(f"\n  {line}" for line in getattr(fault, "faults", ()))
        raise pytest.UsageError(f"{fault.message}{faults}\n{fault.cure or f'Check it: companion games {name} --check'}") from None


def check_rules(name: str) -> None:
    """Play a few games for trial: a rule that fails would else fail in many tests. Raises UsageError: something fails."""
    from companion.session.plugins import resolve_game_id
    from companion.session.rule_checks import trial_faults
    from companion.session.state import load_game

    if faults := trial_faults(load_game(resolve_game_id(name))):
        lines = "".join(f"\n  {fault}" for fault in faults)
        cure = f"To try it again: companion games {name} --check"
        raise pytest.UsageError(f"the rules of {name} fail in games played for trial{lines}\n{cure}")


def _reasons(lines: Sequence[str]) -> list[tuple[str, str]]:
    """The contract tests that the game is expected to fail, with reasons. Raises UsageError: one has no reason."""
    reasons = [(name.strip(), reason.strip()) for name, _, reason in (line.partition(":") for line in lines)]
    if bare := [name for name, reason in reasons if not reason]:
        raise pytest.UsageError(f"{EXPECTED}: {', '.join(bare)}: say why, as in 'test_name: reason'")
    return reasons
