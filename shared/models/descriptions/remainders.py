"""What to cut so that the parts that are meant are gone and the rest still reads."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from shared.domain.cuts import Span, merged
from shared.models.descriptions.following import OWN_SUBJECT_ZH, SUBJECT_WORD
from shared.models.descriptions.reading import HAN, Clause, Reading, folded, words
from shared.models.relations.subjects import ME

FILLER: Final = frozenset(
    "ok okay noted got it sure thanks thank you right yes no well good great nice cool hm oh ah alright understood i'll i've i"
    " remember that and but so also the a an is are was were my your too as well just please 好 好的 收到 知道 知道了 记住 记住了 明白 了 的 嗯 哦 啊"
    " 也 都 就 我 你 是 在 而且 但是 不过 所以 谢谢 已经".split()
)
_ACKNOWLEDGING: Final = re.compile(
    r"^(?:ok(?:ay)?|noted|got it|sure|thanks?|right|yes|no|great|nice|cool|好的?|收到|知道了|记住了|明白了?|嗯|是的)[\s,.!。,!]*$"
)
_ADJECTIVE: Final = re.compile(
    r"^(?:also |now |currently )?(?:allergic|married|single|divorced|retired|vegan|vegetarian|pregnant|diabetic|based|originally|\w+ing\b|from\b|in\b|on\b|at\b|an?\b)"
)


def spans_to_cut(reading: Reading, taken: Collection[int]) -> tuple[Span, ...]:
    """Return what to cut so that the clauses are gone and the rest still reads: joints and a shared subject included."""
    spans: list[Span] = []
    for number, ((begins, ends), places) in enumerate(zip(reading.sentences, reading.by_sentence, strict=True)):
        gone = [place for place in places if place in taken]
        if not gone:
            continue
        if len(gone) == len(places):
            spans.append(_sentence(reading, number, begins, ends))
            continue
        stays = next(place for place in places if place not in taken)
        for place in gone:
            clause = reading.clauses[place]
            following = reading.clauses[place + 1] if place + 1 in places else None
            if place < stays and following is not None:
                spans.append(_without_glueing(reading.text, _after_subject(clause, following), following.start))
            else:
                spans.append((clause.joint, clause.end))
    return merged(spans)


def _without_glueing(text: str, start: int, end: int) -> Span:
    """Return a span that leaves a space between two words it would bring together."""
    glues = start > 0 and text[start - 1].isalnum() and text[end - 1 : end] == " "
    return start, end - glues


def _sentence(reading: Reading, number: int, begins: int, ends: int) -> Span:
    """Return a whole sentence with the space that parted it from the next, or at the end from the one before."""
    text = reading.text
    while begins < ends and text[begins] in " \t":
        begins += 1
    while ends < len(text) and text[ends] in " \t":
        ends += 1
    if ends >= len(text) or number + 1 == len(reading.sentences):
        while begins > 0 and text[begins - 1] in " \t\n":
            begins -= 1
    return begins, ends


def _after_subject(clause: Clause, following: Clause) -> int:
    """Return where the first clause is cut from: past its subject when the next one leaves that out."""
    subject = SUBJECT_WORD.match(clause.said)
    chinese = HAN.match(following.said) is not None
    shared = following.soft or (chinese and HAN.match(clause.said) and not OWN_SUBJECT_ZH.search(following.said))
    if subject is None or not shared:
        return clause.start
    if chinese:
        return clause.start + subject.end() if following.subject == ME else clause.start
    whole, bare = subject[0], re.match(r"^(?:i|we)", subject[0])
    keeps = whole if "'" not in whole or _ADJECTIVE.match(following.said) or bare is None else bare[0]
    end = clause.start + len(keeps)
    return end + 1 if clause.text[end : end + 1] == " " and keeps == whole else end


def says_nothing(text: str) -> bool:
    """Return whether what is left of a text is not worth keeping: nothing, or a mere "noted"."""
    low = folded(text).strip()
    if not low or _ACKNOWLEDGING.match(low):
        return True
    return all(word.text in FILLER for word in words(text, 0, len(text)))
