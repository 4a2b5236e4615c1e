"""The context of a value, and placeholders."""

from __future__ import annotations

import re
from typing import Final

HAN: Final = r"\u3400-\u9fff"
VALUE: Final = rf"[^\s\"'<>(){{}}\[\],;，。、；—…{HAN}\u3000-\u303f\uff00-\uffef]"
"""A character of a password or token; brackets, quotes, commas and Han characters end it."""


def rule(pattern: str, flags: int = 0) -> re.Pattern[str]:
    r"""Compile a pattern in which Han characters are not word characters: `\b` separates them from Latin letters."""
    return re.compile(pattern, flags | re.ASCII)


_SENTENCE_END: Final = rule(r"[\n。]|[.;!?](?![A-Za-z0-9])")
_TRAILING: Final = ".,:;!?…~"

_PLACEHOLDER: Final = rule(
    r"""(?:
      [$%@:]?\{.* | \$[A-Z_]\w* | %\w*%? | <.* | \{\{.* | \[.*
    | ([*.xX_\-\#?])\1{2,}                        # ****, xxxx, ....
    | .*(?:\.{3}|\*{3}|[xX]{4}|…).*
    | (?:my|your|the|some|any|enter|insert|put|replace|change)[-_.](?:\w|[-.])*
    | your\w*
    | (?:pass(?:word|wd|code|phrase)?|pwd|secret|token|api[-_]?key|key|value|string|text|none|null|nil|undefined|true
      |false|redacted|hidden|masked|todo|tbd|n/?a|example|placeholder|required|optional|username|user|email|otp|pin)
    | (?:process|os|import\.meta|config|settings|secrets|env|self|this|request|req|ctx|credentials)\.[\w.]+
    )""",
    re.VERBOSE | re.IGNORECASE,
)


def clause_before(text: str, at: int, length: int) -> str:
    """Return at most `length` characters before `at` in its sentence."""
    window = text[max(0, at - length) : at]
    ends = [found.end() for found in _SENTENCE_END.finditer(window)]
    return window[ends[-1] :] if ends else window


def trimmed(text: str, start: int, end: int) -> int:
    """Return the end of a value without the punctuation of its sentence."""
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    return end


def is_placeholder(value: str) -> bool:
    """Return whether a value is a placeholder: `${API_KEY}`, `your-key`, `******`, `None`."""
    return _PLACEHOLDER.fullmatch(value) is not None
