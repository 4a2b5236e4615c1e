"""Words that say who somebody is."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from shared.models.relations.concepts import concepts
from shared.models.relations.folding import fold as meaning
from shared.models.relations.subjects import PERSONS

_BY_ENDING: Final = re.compile(
    r"(?:[a-z]{3}(?:er|or|ist|ant|ian|ee)|mate|man|woman|friend|in-law|nanny|boss|coach|guide|nurse|cook|twin|ex|godson|goddaughter|intern|vet|bestie|buddy|crush)$|(?:[\u4e00-\u9fff](?:友|长|员|师|姨|叔|哥|姐|妹|弟|嫂|婶)|同桌|教练|经理|主任|助理|搭子|闺蜜|死党|发小|对象|客户|狗|猫|徒弟)$"
)


@lru_cache(maxsize=4_000)
def is_somebody(role: str) -> bool:
    """Return whether a word says who somebody is: a relative, an acquaintance, a calling."""
    if _BY_ENDING.search(role):
        return True
    found = concepts(meaning(role))
    return all(one.kind for one in found) and any(one.kind in PERSONS or one.kind == "job" for one in found)
