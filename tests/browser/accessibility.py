"""What axe-core, keyboards and narrow windows say about a screen (WCAG 2.2 AA)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.browser.browsing import HEIGHTS, narrow_scrolls_sideways

AXE = Path(__file__).parents[2] / "services/web/ui/node_modules/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
TRANSITIONS_OVER = """() => Promise.allSettled(
  document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished)
)"""
COLOURS = ["color-contrast", "link-in-text-block"]
"""All that a dark scheme changes: the page is the same otherwise."""
_NODES_TOLD = 3


def violations(page: Page, rules: Sequence[str]) -> list[str]:
    """Return what axe finds wrong with the page as it is now by rules, or sets of rules, each in a line."""
    if not page.evaluate("'axe' in window"):
        assert AXE.is_file(), "the web app's packages are not installed: npm ci in services/web/ui"
        page.add_script_tag(path=AXE)
    page.evaluate(TRANSITIONS_OVER)
    found: dict[str, Any] = page.evaluate("rules => axe.run({runOnly: rules})", list(rules))
    return [
        f"{violation['id']} ({violation['impact']}): {node['html'][:160]}"
        for violation in found["violations"]
        for node in violation["nodes"][:_NODES_TOLD]
        # A menu opens outside the landmarks, over all of them; it is named by the button that opened it.
        if not (violation["id"] == "region" and "data-menu" in node["html"])
    ]


SCHEMES = ("light", "dark")


def faults_of(page: Page, *, widths: Sequence[int] = tuple(HEIGHTS)) -> list[str]:
    """Look at the state a page is in, wide and narrow, in light and dark; return what is wrong with it."""
    faults = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.locator(f"html[data-mantine-color-scheme={scheme}]").wait_for(state="attached")
            rules = RULES if scheme == SCHEMES[0] else COLOURS
            faults += [f"{width} px, {scheme}: {fault}" for fault in violations(page, rules)]
        if narrow_scrolls_sideways(page):
            faults.append(f"{width} px: scrolls sideways")
    return faults
