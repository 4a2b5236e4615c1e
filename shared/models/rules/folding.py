"""A same-length copy of a message that rules can match, so that every offset holds in the original too."""

from __future__ import annotations

import re
import unicodedata

FILLER = "\ufffc"
"""Stands for each character of a quotation, inline code or URL: part of its clause, but matched by no word."""

_TRADITIONAL = (
    "歡討厭對過記別請後養隻個來職說歲們愛給萬貓兒媽業學為從這樣時間點幫應該語會講電腦機題寫讓問嗎麼誰裡還沒無藥懷預"
    "錢買產師醫護軟體開發總習慣傾於鐘熱實際樂聽視覺顏現齡畢專國鄉長結單離喬絕遠當號碼稱喚備註帶據須將編輯譯潤貸億塊"
)
_SIMPLIFIED = (
    "欢讨厌对过记别请后养只个来职说岁们爱给万猫儿妈业学为从这样时间点帮应该语会讲电脑机题写让问吗么谁里还没无药怀预"
    "钱买产师医护软体开发总习惯倾于钟热实际乐听视觉颜现龄毕专国乡长结单离乔绝远当号码称唤备注带据须将编辑译润贷亿块"
)


class _Folding(dict[int, str]):
    """Maps a code point to one character: NFKC where that is one character, straight quotes, simplified Chinese."""

    def __missing__(self, code: int) -> str:
        compatible = unicodedata.normalize("NFKC", chr(code))
        folded = compatible if len(compatible) == 1 else chr(code)
        self[code] = folded
        return folded


_FOLDING = _Folding(
    {
        **{ord(old): new for old, new in zip(_TRADITIONAL, _SIMPLIFIED, strict=True)},
        **dict.fromkeys(map(ord, "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), "\n"),
        **dict.fromkeys(map(ord, "‘’ʼ´"), "'"),
        **dict.fromkeys(map(ord, "‐‑‒"), "-"),
    }
)

# Every alternative stops at the next character that could open it again, so unclosed openers stay linear.
_BLOCKS = re.compile(
    r"```.*?(?:```|\Z)"
    r"|^[ \t]*+~~~.*?(?:^[ \t]*+~~~|\Z)"
    r"|^[ \t]*+>[^\n]*",
    re.MULTILINE | re.DOTALL,
)
_TRANSCRIPT_LINE = re.compile(
    r"^[ \t]*+"
    r"(?=(?:(?-i:[A-Z])[\w.'-]{0,20}(?:[ ](?-i:[A-Z])[\w.'-]{0,20}){0,2}|[\u4e00-\u9fff]{1,6}):)"
    r"(?![^\n:]{0,60}(?:\b(?:me|my|i|i'?m|ps|fyi|btw|hi|hello)\b|background|context|info|note|constraint|need"
    r"|prefer|diet"
    r"|allerg|location|profile|fact|detail|important|update|correction|remember|reminder|memory|budget|health|forget"
    r"|我|记|注|备|背景|补充|关于|过敏|饮食|偏好|信息|要求|提醒|更新|预算|另外|忘|顺便|对了|健康|以后)[^\n:]{0,60}:)"
    r"[^\n]*",
    re.MULTILINE | re.IGNORECASE,
)
_INLINE = re.compile(
    r"`[^`\n]+`"
    r'|"[^"\n]+"'
    r"|“[^“”\n]+”"
    r"|「[^「」\n]+」"
    r"|『[^『』\n]+』"
    r"|(?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w))+'(?!\w)"
    r"|(?:https?://|www\.)[^\s<>\"'`。！？；、\u4e00-\u9fff]*[^\s<>\"'`。！？；、\u4e00-\u9fff.,;:!?)]"
)


def fold(text: str) -> str:
    """Return `text` with each character folded on its own; `len` is kept."""
    return text.translate(_FOLDING)


def mask(folded: str) -> str:
    """Return `folded` with words that are not the speaker's own made unmatchable; `len` is kept.

    Fenced code, lines that start with `>` and lines of a pasted transcript (`Alice: …`) become line ends. Inline code,
    quotations and URLs become `FILLER`.
    """
    own = _BLOCKS.sub(lambda found: "\n" * len(found[0]), folded)
    own = _TRANSCRIPT_LINE.sub(lambda found: "\n" * len(found[0]), own)
    return _INLINE.sub(lambda found: FILLER * len(found[0]), own)
