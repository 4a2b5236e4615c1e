"""Whether two Chinese clauses are written with the same words, whatever their order and however they would be cut."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from shared.models.relations.concepts import NAMED, words_zh
from shared.models.relations.quantities import quantities

_LIGHT: Final = frozenset(
    "的了是在有和跟与也都就才又还再只个条位名辆台部套间份家里上下中去来到做当干用要会能可想得着过给把被让自己这那些吧吗呢啊呀请一弄搞种样等之其我们咱俺你住养"
    "处方面时候时间感觉挺蛮很太真特别非常比较常平每次需须必应该可以属于作为成为变称叫名字职业主职所而且因此为由于从对向往写已经现目最近直总般通正刚确实其算型类边起完好够行儿嘛啦患得"
)
"""Characters that may stand on one side only: they carry the sentence, not what it says."""
_ORDERED: Final = re.compile(
    r"[比欠给借送教帮追骂陪问代替换]|从.+[到去转]|[只但而].*[不没]|[不没].*[只但而]|之前|之后|以前|以后|先"
)
"""Where these stand, who does what to whom is in the order."""
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_AT_MOST: Final = 4
"""Light characters one side may have more than the other."""


def written_alike(one: str, other: str) -> bool:
    """Return whether two folded clauses are made of the same words, light ones aside.

    Words the vocabulary knows count as what they stand for, all others by their characters.
    """
    if not _HAN.search(one) or not _HAN.search(other):
        return False
    mine, theirs = _pieces(one), _pieces(other)
    if _ORDERED.search(one) or _ORDERED.search(other):
        heavy = [[piece for piece in side if piece not in _LIGHT] for side in (mine, theirs)]
        return heavy[0] == heavy[1] != []
    left, right = Counter(mine) - Counter(theirs), Counter(theirs) - Counter(mine)
    shared = [piece for piece in (Counter(mine) & Counter(theirs)) if piece not in _LIGHT]
    return (
        bool(shared)
        and all(piece in _LIGHT for piece in (*left, *right))
        and max(left.total(), right.total()) <= _AT_MOST
    )


def _pieces(text: str) -> list[str]:
    kept, _ = quantities(text)
    return words_zh(kept.translate({ord(mark): " " for mark in NAMED}))
