"""The template engine of the page's fragments and of the page of a review; every text is escaped."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2.environment import TemplateModule


@cache
def _macros() -> TemplateModule:
    from jinja2 import Environment, StrictUndefined

    with open(os.path.join(os.path.dirname(__file__), "fragments.html"), encoding="utf-8") as file:
        text = file.read()
    engine = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    return engine.from_string(text).module


def page(path: str, **values: Any) -> str:
    """Return the HTML of a template that is a page of its own."""
    from jinja2 import Environment, StrictUndefined

    with open(path, encoding="utf-8") as file:
        text = file.read()
    engine = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    return engine.from_string(text).render(**values).lstrip()


def fragment(name: str, *values: Any) -> str:
    """Return the HTML of a macro of `fragments.html`."""
    return str(getattr(_macros(), name)(*values)).strip()


def verbatim(html: str) -> Any:
    """Mark HTML or SVG that another fragment has escaped already."""
    from markupsafe import Markup

    return Markup(html)
