"""The rules of Iraq War 2003, a module for each chapter, imported at first use because most commands need few of them."""

from __future__ import annotations

from importlib import import_module

from companion.core.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from companion.games.iraqwar2003.rules import (
        r03_turn,
        r04_operations,
        r06_bombing,
        r08_map,
        r12_movement,
        r13_results,
        r15_victory,
        r16_options,
    )

__all__ = ["r03_turn", "r04_operations", "r06_bombing", "r08_map", "r12_movement", "r13_results", "r15_victory", "r16_options"]


def __getattr__(name: str) -> ModuleType:
    if name not in __all__:
        raise AttributeError(name)
    return import_module(f"{__name__}.{name}")
