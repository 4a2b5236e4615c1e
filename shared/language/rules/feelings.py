"""Feelings the speaker states about something (LT-01).

The word list is short: only words that name a feeling directly.
"""

from __future__ import annotations

import re
from typing import Final

from shared.kernel.emotions import Emotion

_ENGLISH: Final = {
    "thrilled": (0.9, 0.9),
    "excited": (0.8, 0.8),
    "happy": (0.8, 0.5),
    "glad": (0.7, 0.4),
    "proud": (0.8, 0.6),
    "grateful": (0.8, 0.3),
    "relieved": (0.6, 0.2),
    "calm": (0.5, 0.1),
    "surprised": (0.2, 0.7),
    "bored": (-0.4, 0.1),
    "tired": (-0.4, 0.1),
    "lonely": (-0.6, 0.3),
    "sad": (-0.7, 0.3),
    "disappointed": (-0.6, 0.4),
    "worried": (-0.6, 0.6),
    "nervous": (-0.5, 0.7),
    "anxious": (-0.6, 0.7),
    "stressed": (-0.6, 0.8),
    "frustrated": (-0.7, 0.7),
    "annoyed": (-0.6, 0.6),
    "angry": (-0.8, 0.8),
    "furious": (-0.9, 0.9),
    "afraid": (-0.7, 0.7),
    "scared": (-0.7, 0.8),
}
_CHINESE: Final = {
    "激动": (0.8, 0.9),
    "兴奋": (0.8, 0.8),
    "开心": (0.8, 0.6),
    "高兴": (0.8, 0.6),
    "自豪": (0.8, 0.6),
    "感激": (0.8, 0.3),
    "欣慰": (0.6, 0.3),
    "平静": (0.4, 0.1),
    "惊讶": (0.2, 0.7),
    "无聊": (-0.4, 0.1),
    "孤独": (-0.6, 0.3),
    "难过": (-0.7, 0.3),
    "伤心": (-0.7, 0.4),
    "失望": (-0.6, 0.4),
    "担心": (-0.6, 0.6),
    "紧张": (-0.5, 0.7),
    "焦虑": (-0.6, 0.7),
    "沮丧": (-0.7, 0.4),
    "郁闷": (-0.6, 0.4),
    "烦躁": (-0.6, 0.7),
    "生气": (-0.8, 0.8),
    "愤怒": (-0.9, 0.9),
    "害怕": (-0.7, 0.7),
}
"""Valence and arousal by word."""

_FELT: Final = re.compile(
    r"\b(?:i['’]?m|i am|i was|i feel|i felt|i['’]ve been|makes me|made me|feeling)(?P<how>(?: \w+){0,2}?) "
    rf"(?P<word>{'|'.join(_ENGLISH)})\b",
    re.IGNORECASE,
)
_FELT_ZH: Final = re.compile(
    rf"(?:我|让人|感到|觉得|心里|有点|很|好|太|非常|特别|真)(?P<how>[^，。！？,.!?]{{0,4}}?)(?P<word>{'|'.join(_CHINESE)})"
)
_NOT: Final = re.compile(r"\b(?:not|never|no longer|hardly)\b|不|没|别", re.IGNORECASE)


def feeling_in(text: str) -> Emotion | None:
    """Return the feeling a statement of the speaker names; None if it names none or denies it."""
    for pattern, words in ((_FELT, _ENGLISH), (_FELT_ZH, _CHINESE)):
        found = pattern.search(text)
        if found and not _NOT.search(found["how"]):
            valence, arousal = words[found["word"].lower()]
            return Emotion(valence=valence, arousal=arousal, label=found["word"].lower())
    return None
