"""What a description says around what it is about, in English: that it asks, how much it means, and that it was said.

All of it is closed vocabulary. A description is walked from its beginning, word group by word group, as long as these
say nothing of their own; what was passed is taken off up to the last verb that asks or preposition that leads on.

Repeated groups are atomic, `(?>…)`: a word group is read in one way, or a description of many could be in any mixture.
"""

from __future__ import annotations

import re
from typing import Final

_FORGET: Final = (
    r"(?:(?:completely |simply |kindly |just )?(?:never ?mind|(?:knew|know|have|had|keep|kept|remember(?:ed)?|stored?) (?:nothing|none)|forget|forgot|delete|erase|remove|drop|wipe|clear|scrub|purge|unlearn|discard|lose|bin|chuck|ditch|trash|toss|dump"
    r"|scrap|nuke|omit|expunge|redact|eliminate|destroy|disregard|un-?remember|ax|axe|shred|deleting|forgetting|erasing|removing|dropping"
    r"|get rid of|getting rid of|do away with|let go of|throw (?:away|out)|take (?:out|off)|strike|cross (?:out|off)|lose track of)(?: (?:out|away|off|up))?)"
)
_KEEP: Final = (
    r"(?:remember(?:ed|ing)?|keep(?:ing)?|kept|stor(?:e|ed|ing)|sav(?:e|ed|ing)|retain(?:ed|ing)?|know(?:n|ing)?|knew|recall(?:ing)?|mention(?:ed|ing)?|bring(?:ing)? up|hold(?:ing)? on ?to|hang(?:ing)? on ?to"
    r"|see(?:n|ing)?|hear(?:d|ing)?(?: about)?|think(?:ing)? (?:of|about)|note|record|(?:told|tell|said) (?:you)?)"
)
_NOT: Final = r"(?:do(?:es)? not|don'?t|didn'?t|did not|never|stop|no longer|no need(?: for you)?|need not|needn'?t|should not|shouldn'?t|must not|mustn'?t|can'?t|cannot|won'?t|wouldn'?t|would not|not|quit|cease)"
_SMALL: Final = (
    r"(?:please|pls|kindly|hey|hi|hello|ok(?:ay)?|so|and|also|now|just|then|actually|well|oh|can|could|would|will|may|might|shall|should|must|you|u|we|let'?s|let|us|there(?: is|'s)?|it(?: is|'s)?|time|to|go ahead|make|sure"
    r"|if|for|that|mind|ever since|much|better|best|really|rather|want(?:ed)?|wish|hope|like|love|need(?:ed)?|prefer|happy|glad|grateful|appreciate|good|great|have|ask(?:ing)?|i(?:'d|'m| am)?|pretend|act|as|ever|it|anymore|any longer|entirely|completely|try)"
)
_ASKING: Final = re.compile(
    rf"^(?:(?>(?:{_SMALL})[\s,:]+))*?(?:{_FORGET}|{_NOT}(?:(?> (?:{_SMALL}|{_NOT})(?= )))*? {_KEEP})(?: (?=about\b))?(?![\w'-])[\s,:]*"
)
_PLACE: Final = r"(?:(?:from|in|out of|to|on|off) (?:your |the |my )?(?:memor(?:y|ies)|notes?|records?|files?|head|mind|database|storage|system|brain|profile))"
_WANTING: Final = re.compile(
    r"^(?:(?:please|can you|could you) )*(?:(?:i'?d|i would|i)(?: do not| don'?t| would| really| just)* (?:like|want|need|prefer|rather have|wish)(?: to see| to have)?|take|make|have|get) (?=\S)"
)
"""Asks when it goes on "… gone", "… deleted"."""
_GONE: Final = re.compile(
    r"(?:[\s,]+(?:(?:that|this|it|which|they|those|these|all) )?(?:(?:do(?:es)? not|don'?t|doesn'?t|should(?: not|n't)|must(?: not|n't)|need not|needn'?t|is not|isn'?t|aren'?t|are not|no longer|is no longer|not)(?: (?:need|needs|have|to|be|being|any|longer|is|are|should|a|your|anymore))* (?:remembered|kept|stored|needed|relevant|saved|known|mentioned|important|wanted|matter|true)"
    r"|is none of your business|(?:(?:all|now|just|should|can|could|must|may|shall|ought to|needs? to|ha(?:s|ve) to|wants? to|to|is|are|be|being|get|please) )*"
    rf"(?:gone|out|go(?: away)?|disappear|vanish|stay|remain|stored|kept|remembered|deleted?|erased?|removed?|forgotten|forget|wiped?|cleared?|dropped|scrubbed|purged|binned|struck))(?: {_PLACE})?|[\s,]+{_PLACE})$"
)
_POLITE: Final = re.compile(
    r"(?:(?>[\s,]*(?:\b(?:please|pls|thanks|thank you|thx|for me|for good|for ever|forever|altogether|completely|entirely|totally|now|asap|right away|at once|ok(?:ay)?|any ?more|any longer|at all|whatsoever|will you|would you|could you|can you"
    r"|anywhere|in (?:here|there)|on (?:file|record)|again|sorry|{_PLACE})\b|[.!?;:]+)))+$"
)
_HOW_MUCH: Final = (
    r"(?:everything|anything|nothing|all|whatever|any|every|each|no|none|single|last|whole|entire|complete|full|literally|absolutely|really|ever|the|a|an|my|your|our|this|that|these|those|it|of|out|what|which|is|are|was|were|be|there|there's|left|still|also"
    r"|things?|stuff|facts?|info(?:rmation)?|details?|memor(?:y|ies)|notes?|records?|mentions?|mentioning|references?|traces?|signs?|hints?|words?|lines?|sentences?|data|entr(?:y|ies)|content|parts?|bits?|pieces?|business|stor(?:y|ies)|subject|topic|matters?|affair|saga|conversations?|chats?|discussions?|messages?|knowledge|talk|has|have|having|had|to do|do"
    r"|every(?:thing)?|i|you|me|we|want|there|here|please|back|earlier|before|once|just|know)"
)
_TOLD: Final = (
    r"(?:(?:i|you|we)(?:'ve|'d)? (?:(?:have|had|ever|just|once|already|previously|never|may have|might have|happened to|did) )*"
    r"(?:(?:said|say|mentioned?|told(?: you)?|tell you|shared?|wrote|written|talked|talk|spoke|spoken|discussed|noted|brought up|chatted)(?: (?:to|with) (?:you|me))?(?: down| up)?(?! (?:i|my|we|our|yes|no|him|her|them)\b)"
    r"|(?<=you )(?:\w+ )?(?:have|know|remember(?:ed)?|stored?|saved?|kept|keep|learn(?:ed|t)|got|hold|noted|wrote(?: down)?)(?: (?:stored|saved|noted|written down|on file|in memory))?"
    r"|(?<=you've )(?:got|stored|saved|kept|learn(?:ed|t)|noted|remembered|written(?: down)?|picked up)|(?<=we've )(?:said|talked|discussed)|(?<=ever )know|(?<=have )(?:known|stored)))"
)
_LEADING_ON: Final = (
    r"(?:about|regarding|concerning|relating to|related to|to do with|connected (?:to|with)|involving|surrounding|mentioning|that mentions?|that involves?|happened (?:to|with|at|in|during)|going on with"
    r"|on|of|around|with|(?:(?<=note )|(?<=notes )|(?<=reference )|(?<=references )|(?<=memory )|(?<=memories )|(?<=info )|(?<=information )|(?<=data )|(?<=entry )|(?<=record )|(?<=records ))(?:for|from|in|to))"
)
_SCOPE: Final = re.compile(rf"(?:(?P<told>{_TOLD})|(?P<on>{_LEADING_ON})|(?P<much>{_HOW_MUCH}))(?![\w'-])(?:[\s,:]+|$)")
_THAT: Final = re.compile(
    r"(?:the |my |any |that )?(?:fact|thing|part|bit|info(?:rmation)?|note|memory|message|line|statement|sentence|claim|one|entry)s? "
    r"(?:(?:saying|stating|claiming|(?:that|which|where it|where i|in which i|where i) (?:says?|said|states?|stated|mention(?:ed)?|told you|claimed))(?: that)? )"
)
_SENTENCE: Final = re.compile(
    r"(?:the fact )?that (?!(?:stuff|thing|bit|part|business|story|whole|one|mess|matter|topic)\b)(?!(?:i|you|we)(?:'ve)? (?:ever |have |had )*(?:said|told you|mentioned|know)\b)"
)
_AFTER: Final = re.compile(
    r"(?:[\s,]+(?:stuff|business|things?|matter|story|saga|affair|notes?|records?|info(?:rmation)?|details|data|memories))+$"
)
_BARE: Final = frozenset({"", "my", "our", "the", "that", "this", "all my", "all the", "a", "your"})
_ALONE: Final = re.compile(
    rf"(?:(?>(?:{_FORGET}|{_NOT}|{_KEEP}|{_HOW_MUCH}|{_TOLD}|{_SMALL}|{_LEADING_ON}|they|them|gone|goes|out|go|be|being|should|away|deleted|forgotten|removed|erased|irrelevant|outdated|private|over|rid|from|for|in|good|memory|thanks|thank|done|need|longer|concern|concerns|bye|goodbye"
    r"|not|n't|none|that's|it's|i'm|don'?t|doesn'?t|isn'?t|right|away|at|asap|permanently|sorry|wrong|old)(?![\w'-])[\s,;.!?:]*))+"
)


def says_nothing(part: str) -> bool:
    """Return whether a part of a description between marks says nothing of its own: "bin it", "all of it"."""
    return _ALONE.fullmatch(part) is not None


def asks(part: str) -> bool:
    """Return whether a part of a description asks to forget."""
    return _ASKING.match(part) is not None


def without_request(text: str) -> str:
    """Return a folded description without what only asks to forget."""
    if asking := _ASKING.match(text):
        return _POLITE.sub("", text[asking.end() :]).strip(" ,")
    wanting = _WANTING.match(text)
    if (gone := _GONE.search(text)) and gone.start():
        return _POLITE.sub("", text[wanting.end() if wanting else 0 : gone.start()]).strip(" ,")
    if wanting and _HOW_MUCH_FIRST.match(text, wanting.end()):
        text = text[wanting.end() :]
    return _POLITE.sub("", text).strip(" ,")


_HOW_MUCH_FIRST: Final = re.compile(r"(?:anything|nothing|everything|any|no|all)\b")


def without_scope(text: str) -> str:
    """Return a folded description without what only says that all of something is meant, and that it was said."""
    before = ""
    while text != before:
        before = text
        text = _THAT.sub("that ", text, count=1) if _THAT.match(text) else text
        if _SENTENCE.match(text):
            return text
        text = text[_led(text) :].strip(" ,")
        shorter = _AFTER.sub("", text)
        text = text if shorter in _BARE else shorter
    return text


def _led(text: str) -> int:
    """Return where what a description is about begins."""
    place = begins = 0
    much = False
    while found := _SCOPE.match(text, place):
        if found["told"] is not None or (found["on"] is not None and (much or not place)):
            begins = found.end()
        much = True
        place = found.end()
        if found["told"] is None and _SENTENCE.match(text, place):
            return place
    return begins
