"""The template engine of the page's fragments and of the page of a review; every text is escaped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from companion.session.shipped import read_text, shipped_path

if TYPE_CHECKING:
    from jinja2.environment import TemplateModule


@cache
def _macros() -> TemplateModule:
    from jinja2 import Environment, StrictUndefined

    text = read_text(shipped_path("views", "screen", "fragments.html"))
    engine = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    return engine.from_string(text).module


def page(path: str, **values: Any) -> str:
    """Return the HTML of a template that is a page of its own."""
    from jinja2 import Environment, StrictUndefined

    engine = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    return engine.from_string(read_text(path)).render(**values).lstrip()


def fragment(name: str, *values: Any) -> str:
    """Return the HTML of a macro of `fragments.html`."""
    return str(getattr(_macros(), name)(*values)).strip()


def verbatim(html: str) -> Any:
    """Mark HTML or SVG that another fragment has escaped already."""
    from markupsafe import Markup

    return Markup(html)
