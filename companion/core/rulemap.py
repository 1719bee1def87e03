"""The map of a game's rules: the docstring of its package says which functions carry out which rule."""

from __future__ import annotations

BEGIN = "Rules and the functions that carry them out, by the module below this folder:"
END = "(Written by python -m tests.support.rule_map --write)"


def read_map(docstring: str) -> dict[str, tuple[str, ...]]:
    """Each rule with its functions, as ``module:function``; what stands outside the map is left alone.

    An entry begins with its module, and goes on in lines that are indented. A function of another module is
    written with that module.

    >>> entries = ["rules.combat  16.7, 16.8: withdraw, rules.losses:refuge;", "    16.9: hit", "turn  Search: Turn.search"]
    >>> read_map("\\n".join(["A game.", BEGIN, *entries, END]))["16.8"]
    ('rules.combat:withdraw', 'rules.losses:refuge')
    >>> list(read_map("\\n".join([BEGIN, *entries, END])))
    ['16.7', '16.8', '16.9', 'Search']
    >>> read_map("A game without a map.")
    {}
    """
    inside = docstring.partition(BEGIN)[2].partition(END)[0].replace("\n    ", " ")
    found: dict[str, tuple[str, ...]] = {}
    for entry in inside.split("\n"):
        module, _, items = entry.partition(" ")
        for item in items.split(";") if items else ():
            rules, _, names = item.strip().partition(": ")
            whole = tuple(name if ":" in name else f"{module}:{name}" for name in names.split(", "))
            found |= dict.fromkeys(rules.split(", "), whole)
    return found
