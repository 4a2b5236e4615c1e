"""Explicit requests to remember or not to remember something (LT-05)."""

from __future__ import annotations

from typing import Final

from shared.language.rules.framing import POLITE, POLITE_ZH
from shared.language.rules.phrases import phrase
from shared.language.rules.sentences import Clause
from shared.language.words import word_lists

_WORDS: Final = word_lists("memory_requests")

_REMEMBER = _WORDS["remember"]
_REMEMBER_MIXED = r"(?:remember|memori[sz]e|note(?: down)?|mark|save|jot)"
_ABOUT_ME = r"(?:i|i'?m|i'?ve|my|we|we're|our)\b|\W?(?![和跟与]|怎|是(?!我)|这个?[词单句])[\u4e00-\u9fff]"
_RECALLING = _WORDS["recalling"]

_OPENS = phrase(
    rf"{POLITE}{{0,3}}(?:"
    rf"{_REMEMBER} that\b(?! time\b| day\b| one\b| when\b|'s)"
    rf"|{_REMEMBER}(?: this| the following| these(?: \w{{1,15}})?)(?=[\s,.!:]*$|:)"
    rf"|{_REMEMBER}(?:(?=:)|$|,? (?={_ABOUT_ME})| to (?=always\b|never\b))"
    rf"|(?={_REMEMBER} to\b[^,]{{0,60}}?\b(?:my|me|i|every|each|when|whenever|on|at|by|before|tomorrow)\b)"
    rf"|(?:don'?t (?:ever )?|never )forget(?: that\b|(?=:)|(?: this)?:| (?={_ABOUT_ME})| to (?=always\b|never\b))"
    rf"|note (?:that(?= {_ABOUT_ME})|this(?=:))"
    r"|(?:take |make a )note (?:that|this(?=:)|of the fact that)\b"
    r"|note (?:for (?:the )?(?:future|later|next time)|somewhere|down|of the fact|also),? ?that\b"
    r"|make a (?:mental )?note(?: that|:| of this:)|take note:|(?:jot|write|note) (?:this "
    r"|it )?down(?: that\b|:|,)|(?:for )?your records[:,]|log this:"
    rf"|note: (?={_ABOUT_ME})"
    rf"|(?:keep|bear) in mind(?:,? (?:for|in) [\w ]{{3,30}}?)?,?(?: that)? (?={_ABOUT_ME})"
    r"|(?:save|store|add|commit|put)(?: this| that| the following)?(?: in| to| into)(?: your"
    r"| the)?(?: long-term)? memory"
    r"(?: that\b)?"
    r"|(?:save|store|record) this(?=:)"
    rf")[\s,:–-]{{0,4}}"
    rf"|{POLITE}{{0,2}}(?:please|pls|you must|i want you to|i'?d like you to) {_REMEMBER} (?!{_RECALLING})"
)
_OPENS_IN_CHINESE = phrase(
    rf"{POLITE}{{0,2}}{POLITE_ZH}{{0,6}}"
    r"(?:记住(?!了,|了$|这(?!一?点|件事|(?:个|些)?(?:话|事|内容|信息)?(?:[:,]|$))|那|要|加|用|在|把|写|格式|变量|顺序)|记下来?|记低|记一下|记着|牢记|谨记"
    r"|(?:千万)?(?:别|不要|唔好)(?:忘|唔记得)(?:了|记)?(?=我|俺|咱|本人|:|,|家|\ufffc|以后|每|周|下周|\d"
    r"|[A-Za-z]|$|这|哦|啊)"
    r"|备注(?:一下)?|记录一下|记得(?=我|:|,|一下)|记笔记:|帮我存一下"
    r"|(?:记|存)(?:到|进|入)(?:你的)?(?:长期)?(?:记忆|备忘录|档案)里?)(?:一下|了|下来|哦|噢|啊|哈|吧|呀|呢)?"
    r"(?:这一?点|这件事|这(?:个|些)?(?:话|事|内容|信息)?(?=[:,]|$)|以下(?:内容|信息)?|下面(?:的)?(?:内容|信息|话)?)?[\s,:–-]{0,4}"
    rf"|(?:(?:{POLITE_ZH}|{POLITE}){{1,6}}(?:记得)?|记得) ?{_REMEMBER_MIXED}"
    r"(?:一下|住|下来|着)?[\s,:–-]{0,4}(?=我|俺|(?:my|i|i'm)(?![A-Za-z]))"
)
_CLOSES = phrase(
    rf"{POLITE}{{0,3}}(?:(?:remember|memori[sz]e|note|save|don'?t forget)(?: this| that| it)|remember)"
    r"(?:,? please|,? ok(?:ay)?|,? thanks)?[\s.!]{0,3}$"
    rf"|{POLITE_ZH}{{0,6}}(?:记住|记下来?|记一下|记着|牢记|(?:别|不要)忘(?:了|记)?|记得)"
    r"(?:一下|了|下来|哦|噢|啊|哈|吧|呀)?(?:这一?点|这件事|这个)?[\s.!。]{0,3}$"
)
_REFUSES = phrase(_WORDS["refuses"])


def content_start(text: str, start: int, end: int) -> int | None:
    """Return where the content of a "remember …" at `start` begins, or None if there is no such request."""
    found = _OPENS.match(text, start, end) or _OPENS_IN_CHINESE.match(text, start, end)
    return None if found is None else found.end()


def points_back(text: str, clause: Clause) -> bool:
    """Return whether `clause` asks to remember the text before it: "…, remember that." / "……，记住了。"."""
    return _CLOSES.match(text, clause.start, clause.end) is not None


def refuses(text: str, clause: Clause) -> bool:
    """Return whether `clause` asks not to keep the message."""
    return _REFUSES.match(text, clause.start, clause.end) is not None
