"""What a message wants: an answer, or only an acknowledgement."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

Want: TypeAlias = Literal["answer", "greeting", "thanks", "hearing"]

_GREETING: Final = re.compile(
    r"\W*(?:hi|hello|hey|good (?:morning|afternoon|evening)|你好|您好|嗨|哈喽|早上好|早安|早|晚上好|下午好)"
    r"(?: there| again)?\W*",
    re.IGNORECASE,
)
_THANKS: Final = re.compile(
    r"\W*(?:(?:many )?thanks?(?: you)?(?: (?:so|very) much| a lot)?|cheers|谢谢(?:你|您)?|多谢|感谢)\W*", re.IGNORECASE
)
_QUESTION_MARK: Final = re.compile(r"[?？]\s*[\"'”’)）]*\s*$")
_ASKS: Final = re.compile(
    r"^\W*(?:(?:and|so|but|ok(?:ay)?|well|please|now|hey|hi|hello),?\s+)*"
    r"(?:who|whom|whose|what|what's|whats|which|when|where|why|how|do|does|did|is|are|am|was|were|can|could|will|would|should"
    r"|shall|may|might|have|has|any|tell|remind|give|show|list|suggest|recommend|explain|describe|plan|write|draft|find"
    r"|help|make|compare|summari[sz]e|translate|recap|let me know|i (?:need|want) (?:you|help|to know)"
    r"|i'd like (?:you|to know)|i wonder)\b",
    re.IGNORECASE,
)
_CLAIMS_FIRST: Final = re.compile(r"^\W*(?:what a|how (?:nice|lovely|funny|awful|sad|cool))\b", re.IGNORECASE)
_ASKS_ZH: Final = re.compile(
    r"[吗呢么]\s*[。.!！]*$|什么|怎么|怎样|如何|为什么|为啥|哪[里儿个些天种位]|谁|几[点岁个号]|多少|多久|多大|多远|是不是|能不能|可不可以"
    r"|有没有|要不要|会不会|^\W*(?:请|帮我|给我|推荐|建议|告诉我|提醒我|说说|讲讲|列出|介绍|解释|总结|翻译|写|查|找|想知道)"
)


def wanted(message: str) -> Want:
    """Return what a message wants. A request ("suggest a snack") wants an answer, like a question."""
    text = message.strip()
    if _GREETING.fullmatch(text):
        return "greeting"
    if _THANKS.fullmatch(text):
        return "thanks"
    if _QUESTION_MARK.search(text):
        return "answer"
    if _CLAIMS_FIRST.match(text):
        return "hearing"
    return "answer" if _ASKS.match(text) or _ASKS_ZH.search(text) else "hearing"
