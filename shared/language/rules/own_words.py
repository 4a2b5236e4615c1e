"""What somebody wrote themselves: without quotations, code, pasted material and fiction."""

from __future__ import annotations

from shared.language.rules.asked_for import refuses
from shared.language.rules.folding import FILLER, fold, mask
from shared.language.rules.passages import own_end


def own_words(text: str) -> str:
    """Return a message without quotations, code, pasted material and fiction; empty if it asks not to be remembered."""
    own = mask(fold(text))
    if refuses(own):
        return ""
    end = own_end(own)
    kept = (
        said if mine != FILLER and (mine != "\n" or said == "\n") else " "
        for mine, said in zip(own[:end], text[:end], strict=True)
    )
    return "".join(kept).strip()
