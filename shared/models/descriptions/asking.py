"""A description without what only asks, scopes and excepts: what is left is what it is about."""

from __future__ import annotations

import re
from typing import Final

from shared.models.descriptions import shells, shells_zh
from shared.models.descriptions.reading import HAN

_PART: Final = re.compile(
    r"(?<=[;!?。])\s*|(?<=,)\s*(?!\d)|(?<=[.:])\s+|\s+[-–—]+\s+|\s+(?=and (?:forget|delete|erase|remove|drop|bin|wipe|get rid of)\b)"
)
_REASON: Final = re.compile(
    r"(?:(?:because|since|as|cause|for) )?(?:i|we|it|it's|he|she|they|that|that's|this|i'm|we're|he's|she's|they're|i've|we've)(?:'\w+)? \w"
)
_KEEPS: Final = re.compile(
    r"留|除|保|\b(?:keep|leave|retain|hold on|hang on|stays?|remain|except|only|need|but|rest|not|spare|excepted|aside|excluded|fine|want)\b"
)
_EXCEPT: Final = re.compile(
    r"(?:[,;.]?\s*\b(?:except(?:ing)?(?: for)?(?: that)?|apart from|other than|aside from|besides|excluding|bar|save for|minus|but not(?: about)?|not including|without touching|leaving out|(?<=all )but(?! not)|(?<=everything )but(?! not)|(?<=anything )but(?! not))"
    r"|(?:[,;.]\s*|\s(?=but |and |just |yet ))(?:(?:but|and|just|only|yet|please|you (?:can|may|should)|do) )*(?:keep|leave|retain|hold on to|hang on to|do(?: not|n't) (?:forget|delete|touch|remove|erase|drop)|still remember|remember|not)(?: in| alone)?)"
    r"\s+(?P<kept>.+)$"
)
_NEEDED: Final = re.compile(
    r"^(?P<rest>.+?)[,;.]\s*(?:but )?i (?:(?:only|still|just) )+(?:need|want)(?: to keep)? (?P<kept>.+)$"
)
_EXCEPTED: Final = re.compile(
    r"^(?P<rest>.+?)[,;]\s*(?:but )?(?P<kept>[^,;]+?),? (?:excepted|excluded|aside|apart|(?:can|may|should|must) (?:stay|remain|be kept)|stays|is fine|not)$"
)
_KEEP_FIRST: Final = re.compile(
    r"^(?:only |just |please )*(?:keep|leave|retain|remember) (?:only )?(?P<kept>.+?)(?:[,;]| and| but)+ (?:please |then )*(?:forget|delete|erase|remove|drop|wipe|clear) (?:about )?(?:everything else|the rest|all else|anything else|everything|all)? ?(?:about|of|on|regarding)? ?(?P<rest>.+)$"
)
_EXCEPT_ZH: Final = (
    re.compile(r"^(?:请)?(?:只|仅)(?:保留|留(?:下|着)?|记(?:得|住)?)(?P<kept>[^,]{1,30}),(?P<rest>.+)$"),
    re.compile(r"^(?:请|把)?除了?(?P<kept>[^,]{1,30}?)(?:以外|之外|外)?(?:的?(?:都|全)?)?[,\s](?P<rest>.+)$"),
    re.compile(r"^(?:请|把)?除(?:了)?(?P<kept>[^,]{1,30}?)(?:以外|之外|外)[,\s]?(?P<rest>.+)$"),
    re.compile(
        r"^(?P<rest>.+?)(?:[,;。\s]+(?:但是?|不过|只是|可是)?|但是?|不过|只是|可是)\s*(?:请|你|要|给我|帮我)*(?:[只仅](?:保留|留|要|记)(?:着|下|住|得)?|保留|留着|留下|留住|留(?![着下住])|记得|记住|别(?:删|忘|动)(?:掉|了)?|不要(?:删|忘|动)(?:掉|除|了)?|不包括|不含)(?P<kept>[^,]{1,30}?)(?:就行|就好|即可|吧)?$"
    ),
    re.compile(r"^(?P<rest>.+?)[,;。\s]*除(?![外去掉夕湿草])了?(?P<kept>[^,]{1,30}?)(?:以外|之外|除外)?$"),
    re.compile(
        r"^(?P<rest>.+?)[,;。\s]+(?:但(?:是)?|不过|只是|可是)?\s*(?P<kept>[^,]{1,30}?)\s*(?:除外|不算|(?:要|得|就)?(?:保留|留着|留下|别删|别忘|别动|不要删|不要动|不动|不删)(?:着|掉|了)?)$"
    ),
)
_EVERYTHING: Final = re.compile(r"\b(?:everything|all|anything|me)\b|一切|全部|所有|我")
_THE_REST: Final = re.compile(r"(?:the |all the )?(?:rest|others?|remaining|remainder)(?: of it)?")
_PART_OF: Final = re.compile(r"(?P<what>.+?) (?:of|from|about|for) (?P<whose>.+)$")
_MARKS: Final = " ,.;:!?。\"'“”‘’「」『』《》"


def without_asides(text: str) -> str:
    """Return a folded description without the parts that say nothing of their own (", bin it") or only why it is asked."""
    parts = [part for part in _PART.split(text) if part.strip()]
    said = [part for part in parts if not shells.says_nothing(part) and not shells_zh.says_nothing(part)]
    asked = len(said) < len(parts) or any(map(shells.asks, said))
    kept = [
        part
        for place, part in enumerate(said)
        if not (place and asked and _REASON.match(part) and not _KEEPS.search(part))
    ]
    return " ".join(kept).strip(" ,;:") if kept else text


def without_request(text: str) -> str:
    """Return a folded description without what only asks to forget."""
    if HAN.search(text):
        text = shells_zh.without_request(text)
    return shells.without_request(text)


def without_scope(text: str) -> str:
    """Return a folded description without what only says that all of something is meant."""
    if HAN.search(text):
        text = shells_zh.without_scope(text)
    return shells.without_scope(text).strip(_MARKS)


def names_everything(text: str) -> bool:
    """Return whether a description without its request asks for all there is."""
    return _EVERYTHING.search(text) is not None


def exceptions(text: str) -> tuple[str, list[str]]:
    """Return a description without what is to be kept, and that."""
    if HAN.search(text):
        for pattern in _EXCEPT_ZH:
            if found := pattern.match(text):
                return found["rest"], [found["kept"]]
    for whole in (_NEEDED, _EXCEPTED, _KEEP_FIRST):
        if found := whole.match(text):
            return found["rest"], [found["kept"]]
    found = _EXCEPT.search(text)
    if found is None:
        return text, []
    rest, kept = text[: found.start()].strip(" ,"), found["kept"]
    if _THE_REST.fullmatch(kept):
        return rest, []
    if not rest:  # "except the budget, everything about …"
        kept, _, rest = kept.partition(",")
        return (rest.strip(), [kept]) if rest else (text, [])
    part = _PART_OF.match(kept)
    if part and _EVERYTHING.fullmatch(rest):  # "everything except the budget of my wedding"
        return part["whose"], [part["what"]]
    return rest, [kept]
