"""Fold a text to a copy of the same length for the detectors, so that every offset is valid in the original."""

from __future__ import annotations

from typing import Final

from shared.language.rules import folding

_EXTRA: Final = str.maketrans(
    {
        **dict.fromkeys("“”„「」『』`", '"'),
        **dict.fromkeys("–−", "-"),
    }
)


def fold(text: str) -> str:
    """Return `text` with each character folded on its own: width, quotation marks, dashes, simplified Chinese."""
    return folding.fold(text).translate(_EXTRA)
