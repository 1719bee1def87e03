"""Hooks of mkdocs, which ``mkdocs.yml`` names: add the generated pages, and turn the pages of help into pages of a site."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT))  # mkdocs loads this file by its path

from mkdocs.structure.files import File, Files  # noqa: E402
from mkdocs.structure.pages import Page  # noqa: E402

from tests.support.website.generated import FLAT, assets, generated_pages, navigation, pictures  # noqa: E402
from tests.support.website.markdown import for_the_site  # noqa: E402


def on_config(config: Any) -> Any:
    """Fill in the parts of the navigation that are generated."""
    config.nav = filled_in(config.nav, navigation())
    return config


def filled_in(entry: Any, parts: Mapping[str, list[Any]]) -> Any:
    """Return a part of the navigation with the generated entries in place of the words that stand for them."""
    if isinstance(entry, dict):
        return {title: filled_in(below, parts) for title, below in entry.items()}
    if isinstance(entry, list):
        return [
            item
            for below in entry
            for item in ([filled_in(below, parts)] if isinstance(below, dict) else parts.get(below, [below]))
        ]
    return parts.get(entry, entry)


def on_files(files: Files, config: Any) -> Files:
    """Add the generated pages, styles and scripts."""
    for path, content in {**generated_pages(), **assets()}.items():
        files.append(File.generated(config, path, content=content))
    for path, picture in pictures().items():
        files.append(File.generated(config, path, abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown: str, page: Page, config: Any, files: Files) -> str:
    """Rewrite what only the terminal or GitHub understands."""
    return for_the_site(markdown, page.file.src_uri, {file.src_uri for file in files.documentation_pages()})


def on_page_content(html: str, page: Page, config: Any, files: Files) -> str:
    """List only the chapters of a rule register in its table of contents; let no table have an empty heading."""
    if page.file.src_uri.endswith(FLAT) and page.toc:
        for item in page.toc.items:
            for chapter in item.children:
                chapter.children = []
    return html.replace("<th></th>", "<td></td>")


def on_post_page(output: str, page: Page, config: Any) -> str:
    """Give the search a name, which a screen reader says."""
    return output.replace(
        'data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"'
    )
