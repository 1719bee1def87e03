"""The map of a game's rules: the docstring of its package says which functions carry out which rule."""

from __future__ import annotations

BEGIN = "Rules and the functions that carry them out, below this folder:"
END = "(Written by python -m tests.support.rule_map --write)"


def read_map(docstring: str) -> dict[str, tuple[str, ...]]:
    """Each rule with its functions, as ``module:function``; what stands outside the map is left alone.

    >>> lines = ["A game.", BEGIN, "16.7  rules.combat:withdraw, rules.losses:refuge", "Search  turn:Turn.search", END]
    >>> read_map("\\n".join(lines))
    {'16.7': ('rules.combat:withdraw', 'rules.losses:refuge'), 'Search': ('turn:Turn.search',)}
    >>> read_map("A game without a map.")
    {}
    """
    inside = docstring.partition(BEGIN)[2].partition(END)[0]
    lines = (line.strip().partition("  ") for line in inside.splitlines() if line.strip())
    return {rule: tuple(name.strip() for name in names.split(",")) for rule, _, names in lines}


def write_map(rules: dict[str, tuple[str, ...]]) -> str:
    """The map as it stands in the docstring.

    >>> print(write_map({"16.7": ("rules.combat:withdraw", "rules.losses:refuge")}).splitlines()[1])
    16.7  rules.combat:withdraw, rules.losses:refuge
    """
    return "\n".join([BEGIN, *(f"{rule}  {', '.join(names)}" for rule, names in rules.items()), END])
