"""Where one clause ends and the next begins, and which words in it are names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shared.models.relations.concepts import NAMED, concepts, words_zh
from shared.models.relations.folding import fold
from shared.models.relations.moods import leaves_open
from shared.models.relations.rewording import reworded

_CUT: Final = re.compile(
    r"[,;!?~]+|[.…](?=\s|$)|[.](?=[\u4e00-\u9fff])|\s[-–—]+\s|[()]"
    r"|\s(?:and|but|so|because|since|though|although|whereas|then)\s(?=(?:i|we|my|it|now|he|she|they|am|do|is|have|no|drink|eat|use|live|work|started|switched|moved)\b)"
    r"|\sbut\s|(?<=[\u4e00-\u9fff])(?:但是?|可是|不过(?!敏)|所以|然后|而且)(?=[\u4e00-\u9fff])"
)


_AND_I: Final = re.compile(r"((?:^|[,.;] )(?:my )?[\w-]{2,20}) and i\b")


_DECIMAL: Final = re.compile(r"(?<=\d)[,](?=\d{3})")


_NAME: Final = (
    re.compile(
        r"\b(?P<how>(?:is |are |was )?(?:called|named)(?: (?:the|our|my) (?:puppy|kitten|dog|cat|baby|boat|car))?|(?:first |last |nick)?name is|names are|call me|call(?:s|ing) me|address me as|call (?:him|her|it|them)|go by|goes by|refer to me as)"
        r" (?:just |simply |now )?(?!by\b|it\b|an?\b|me\b|to\b|not\b|the\b|off\b|on\b|in\b|up\b|out\b|back\b|round\b|for\b|upon\b|time\b|quits\b|before\b|after\b|from\b|at\b|until\b|when\b|if\b|between\b|during\b|only\b|anytime\b|whenever\b|later\b|every\b|about\b)(?P<name>[\w·.-]+(?: (?!and|instead|please|from|in|on|at|now|is|but|for|or|who|not|by|with|because|as|when|if|the|after|she|he|any|anymore|again|these|thanks|cheers|ta|until|till|while|which|instead|rather|though|so|it|they|we|since|before|only|either|too|lol)[\w.-]+){0,2})"
    ),
    re.compile(
        r"(?P<how>(?:名字)?叫(?:做|我)?(?:全名|本名|小名|大名)?|名叫|取名(?:叫)?|起名(?:叫)?|名字是|称呼我(?:为)?|喊我|改叫|改名(?:叫|为)?|姓)(?P<name>[\u4e00-\u9fff·]{1,5}?|\s?[a-z]+)"
        r"(?=就|吧|好|行|啦|了|哦|哈|即可|的|,|\.|!|;|$|\s|而|和|今年|是|不|\d|今|已)"
    ),
    re.compile(
        r"(?P<how>(?:是|换成了?|改成了?))(?P<name>(?:老(?![师板人婆公家大二三乡外])|小(?![学孩时朋狗猫说区组姐吃])|阿(?!姨))[\u4e00-\u9fff]|[\u4e00-\u9fff](?:老师|师傅|总|工))(?=了|$|,|\.)"
    ),
)


_IS_MY: Final = re.compile(
    r"^(?P<name>[a-z][\w-]+(?: [a-z][\w-]+)?) (?:is|has been) (?P<whose>my|our) (?P<who>[\w' -]{2,30}?)(?P<rest>[,.!;]|$)"
)


_IS_MY_ZH: Final = re.compile(
    r"^(?P<name>(?!这|那|他|她|它|以下|下面)[\u4e00-\u9fff]{1,4})是我(?:的|们)?(?P<who>[\u4e00-\u9fff]{2,6})[.,]?$"
)


_CAPITAL: Final = re.compile(r"(?<=[\w,.] )[A-Z][a-z]+\b")


_IS_CALLED: Final = re.compile(
    r"(?P<who>\b(?:my|our) (?:[\w-]+ ){0,2}(?!(?:first |last |nick)?name\b)[\w-]+) is (?:now )?(?P<name>(?:(?:dr|mr|mrs|ms|prof) )?[a-z]\w+)(?= now\b| again\b| this (?:term|year)\b| these days| currently|[,.!]|$)"
)


_IS_TITLED: Final = re.compile(
    r"(?P<who>\b(?:my|our) (?:[\w-]+ ){0,2}[\w-]+) is (?:now )?(?P<name>(?:dr|mr|mrs|ms|prof) [a-z]\w+)"
)
_TITLED: Final = re.compile(r"(?:dr|mr|mrs|ms|prof) ")


_TOPIC_AT_MOST: Final = 3
_FRAGMENT_AT_MOST: Final = 4
"""Words of a topic ("Coriander, I …") and of what only goes on with a list or a place ("…, Nova Scotia")."""
_OPENERS: Final = frozenset("he she it this that there who what here my our".split())


_FRAGMENT: Final = re.compile(r"\b(?:i|we|you|my|our|it|he|she|they|is|am|are|was|were|have|has|do|does|did)\b")


_BEGINS_A_DEED: Final = re.compile(
    r"(?:\w{2,}ed|\w{2,}ing|got|sold|gone|went|left|bought|took|found|made|put|gave|lost|had|been|done|came|sent|paid|kept|told|gotten) (?!and\b|or\b)\w"
)
"""Begins a clause whose speaker is left out: "cancelled Spotify, closed the account"."""


_COMPARED: Final = re.compile(r"^[\w\u4e00-\u9fff ]{1,10}(?:嘛|么|呢)$|^(?:比起|跟|和|与|相比).{1,12}$")


_CLAUSES_AT_MOST: Final = 12


def clauses(original: str) -> list[str]:
    """Return the folded clauses of a text as it was typed, names marked; at most a dozen."""
    capitals = frozenset(word.casefold() for word in _CAPITAL.findall(original))
    return list(_clauses(_with_names(reworded(fold(original)), capitals)))


def _with_names(text: str, capitals: frozenset[str]) -> str:
    """Mark what is a name, so that a dog called Olive is no food; turn "Odile is my manager" round."""
    turned = _IS_MY.match(text)
    if turned and turned["name"].split()[0] not in _OPENERS and not _known(turned["name"]):
        text = f"my {turned['who']} is {'' if turned['who'].endswith('name') else 'called '}{turned['name']}{turned['rest']}{text[turned.end() :]}"
    turned_zh = _IS_MY_ZH.match(text)
    if turned_zh and _may_be_a_name(turned_zh["name"]) and _is_who(turned_zh["who"]):
        text = f"我{turned_zh['who']}叫{turned_zh['name']}"
    text = _AND_I.sub(r"\1 & i", text)
    text = _IS_CALLED.sub(
        lambda m: (
            f"{m['who']} is called {m['name']}"
            if m["name"].split()[-1] in capitals and (_TITLED.match(m["name"]) or not _known(m["name"].split()[-1]))
            else m[0]
        ),
        text,
    )
    text = _IS_TITLED.sub(r"\g<who> is called \g<name>", text)
    for pattern in _NAME:
        text = pattern.sub(lambda m: f"{m['how']} {NAMED[0]}{m['name'].strip(' .')}{NAMED[1]}", text)
    return text


def _may_be_a_name(word: str) -> bool:
    """Return whether no word of two characters in `word` is known: single ones are in too many names to count."""
    known = words_zh(word)
    return bool(known) and all(len(piece) == 1 or not piece.isascii() for piece in known)


def _is_who(word: str) -> bool:
    """Return whether `word` may say who somebody is: a person, an animal, or nothing we know."""
    kinds = {concept.kind for concept in concepts(word)}
    return bool(kinds & {"relative", "acquaintance", "animal", "breed", "job"}) or kinds == {""}


def _known(word: str) -> bool:
    return any(concept.kind for concept in concepts(word))


def _clauses(text: str) -> Iterator[str]:
    """Yield the clauses of a folded text; a fragment that only goes on with a list or a place stays with its clause."""
    held = ""
    count = 0
    for cut in _CUT.split(_DECIMAL.sub("", text)):
        piece = (cut or "").strip(" .")
        if not piece:
            continue
        if (held and _goes_on(piece)) or (held and (_COMPARED.match(held) or _is_a_topic(held, piece))):
            held = f"{held} {piece}"
        else:
            if held:
                yield held
                count += 1
            held = piece
        if count >= _CLAUSES_AT_MOST:
            return
    if held:
        yield held


def _is_a_topic(held: str, piece: str) -> bool:
    """Return whether `held` only names what `piece` is about: "Coriander, I can't stand it"."""
    if len(held.split()) > _TOPIC_AT_MOST or _FRAGMENT.search(held) or re.search(r"[\u4e00-\u9fff]", held + piece):
        return False
    return bool(
        re.search(
            r"\b(?:it|them|that|those|one)$|\b(?:can|do|will|would) not$|\bnever (?:do|have)$|\b(?:any|none)$", piece
        )
    )


def _goes_on(piece: str) -> bool:
    if re.search(r"[\u4e00-\u9fff]", piece):
        return False
    if _BEGINS_A_DEED.match(piece) and all(c.kind in {"", "-", "deed"} for c in concepts(piece.split(maxsplit=1)[0])):
        return False
    if leaves_open(piece) or re.match(
        r"(?:not|no|only|never|just|until|till|maybe|perhaps|please|switched|moved|quit|stopped|started|don't|do|call|use|instead)\b",
        piece,
    ):
        return False
    return (
        not _FRAGMENT.search(piece)
        and len(piece.split()) <= _FRAGMENT_AT_MOST
        and all(c.kind != "do" for c in concepts(piece))
    )
