"""Sentences to claims: what is said of whom, cut so that two sentences can be held against each other."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from shared.models.relations.clauses import clauses
from shared.models.relations.concepts import Concept, concepts
from shared.models.relations.corrections import put_aside, without_what_is_wrong, wrong_names
from shared.models.relations.events import EVENTS
from shared.models.relations.folding import LENGTH_LIMIT
from shared.models.relations.moods import Mood, leaves_open, mood
from shared.models.relations.quantities import Quantity, quantities
from shared.models.relations.questions import filled
from shared.models.relations.slots import EDIBLE, Filled
from shared.models.relations.subjects import ME, PERSONS, SOMEBODY, is_agent, subject


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One clause, read.

    `slot` is the question it answers, "" for none we know; `objects` what fills it; `said` names every concept in it,
    `words` holds them in their order.
    `instead_of` names what the clause itself puts aside.
    """

    text: str
    subject: str
    slot: str
    objects: tuple[Concept, ...]
    said: frozenset[str]
    words: tuple[Concept, ...] = ()
    counts: tuple[Quantity, ...]
    mood: Mood
    ranking: tuple[str, str] | None = None
    instead_of: frozenset[str] = frozenset()

    @property
    def names(self) -> frozenset[str]:
        """Names of the objects."""
        return frozenset(concept.name for concept in self.objects)

    @property
    def negative(self) -> bool:
        """Whether the claim denies its objects now, or says they are over."""
        over = self.mood.ended and not self.mood.past
        return (over or (self.mood.denied and not self.mood.ended)) != ("hate" in self.said)


_CONDITION: Final = re.compile(r"^(?:if|unless)\b|如果|要是|万一|假如")


_LIMITS: Final = re.compile(
    r"\b(?:until|till|(?<=\w )while) [\w' ]{1,40}|\bduring (?:the |my |our )?[\w']+|\bfor (?:a|the next|another) (?:while|bit|few \w+|couple of \w+|month|week)\b"
    r"|(?:放假|出差|假期|暑假|寒假|考试|度假)(?:的?时候|这?几天|这?周)|[\u4e00-\u9fff\d ]{1,8}(?:期间|(?<=[月号日节年假底完好])之?前(?=[我先都不住,]))"
)
"""Until when something holds: it says nothing about what holds."""


_GONE_ZH: Final = re.compile(r"走了(?=$|,|[\u4e00-\u9fff]?$)|不在了|没了|离开(?:了|我)|老死|安乐")


_IS_IN: Final = re.compile(r"\b(?:is|are) (?:now )?in\b|(?<![现正])在")


_NOT_X: Final = re.compile(r"^not (?:with |in |at |on )?[\w' \ue000\ue001]{1,25}$")


_WITH_ME: Final = re.compile(r"\bwith (?:me|us)\b|[跟和与同]我们?")


_TWO_WAYS: Final = frozenset({"style:tone", "style:length"})


_OPPOSITE: Final = {
    "formal": Concept("casual", "tone"),
    "casual": Concept("formal", "tone"),
    "long": Concept("short", "length"),
    "short": Concept("long", "length"),
}
"""Not to want the one is to want the other."""


_AUXILIARY: Final = re.compile(
    r"\bha(?:ve|s|d) (?=(?:(?:just|finally|recently|already|never|always|both|also|since|not|now|actually) )*"
    r"(?:\w+ed|been|seen|heard|read|met|sent|built|kept|paid|spent|won|slept|flown|felt|told|thrown|chosen|forgotten|bitten|given|quit|gone|begun|become|taken|grown|cut|put|left|lost|found|sold|bought|had|made|done|known|eaten|drunk"
    r"|run|sung|swum|taught|thought|worn|written|fallen|come|broken|driven|to)\b)"
)
"""Helps another verb and means no possession."""


_NAME_CHANGED: Final = re.compile(
    r"名(?:字|称)?(?:也|刚|都)?(?:改|换)|\b(?:nick|user|sur|screen |last )?name (?:is |has |was )?(?:changed|new)|\bhandle\b"
)
_ONE_OFF: Final = re.compile(
    r"\b(?:today|tonight|this (?:morning|evening|afternoon|weekend))\b|今天|今晚|今早|明天|刚才"
)
_CALLED_OFF: Final = re.compile(r"\b(?:cancel\w*|skip\w*|miss(?:ed|ing)?)\b|取消|没去")
"""What is called off for once goes on otherwise."""


def claims(text: str) -> list[Claim]:
    """Return what `text` claims, clause by clause, in time linear in its length."""
    original = text[:LENGTH_LIMIT]
    pieces = clauses(original)
    typed = [piece.strip() for piece in re.split(r"[,;!?.…,。!?;、]+\s*", original) if piece.strip()]
    read: list[Claim] = []
    conditional = False
    one_off = bool(_ONE_OFF.search(original.casefold()) and _CALLED_OFF.search(original.casefold()))
    undecided = any(leaves_open(piece) for piece in pieces)
    for at, piece in enumerate(pieces):
        if leaves_open(piece) and len(pieces) > 1:
            continue
        conditional = conditional or bool(_CONDITION.search(piece))
        before = read[-1] if read else None
        claim = _claim(piece, typed[at] if at < len(typed) and len(typed) == len(pieces) else "", before)
        if before is not None and not claim.mood.changed:
            passing, tentative = (
                before.mood.passing or claim.mood.passing,
                before.mood.tentative or claim.mood.tentative,
            )
            claim = replace(claim, mood=replace(claim.mood, passing=passing, tentative=tentative))
        if before is not None and claim.slot in {"name", "address"} and _NAME_CHANGED.search(before.text):
            claim = replace(claim, text=f"{before.text} {claim.text}")
        if one_off:
            claim = replace(claim, mood=replace(claim.mood, ended=False))
        if undecided or conditional:
            claim = replace(claim, mood=replace(claim.mood, tentative=True))
        if before is not None and _completes(claim, before):
            read[-1] = _completed(before, claim)
        else:
            read.append(claim)
    return read


def _claim(piece: str, typed: str, before: Claim | None) -> Claim:
    stated = without_what_is_wrong(piece)
    feelings = mood(stated)
    if stated != piece:
        feelings = replace(feelings, changed=True)
    aside = put_aside(piece, feelings) | wrong_names(piece)
    left, counted = quantities(_AUXILIARY.sub(" ", _LIMITS.sub(" ", stated)))
    found = tuple(dict.fromkeys(concepts(left)))
    about = subject(piece, typed)
    if before is not None and about == SOMEBODY:
        about = _antecedent(before)
    elif before is not None and about == ME and before.subject != ME and not re.search(r"\b(?:i|we|my|me)\b|我", piece):
        about = before.subject
    kept = tuple(
        c
        for c in found
        if c.name != about and not (about == ME and c.kind in {"acquaintance", "job"} and is_agent(piece))
    )
    answer = filled(left, kept, counted)
    if feelings.added is False and aside:
        answer = replace(answer, objects=tuple(c for c in answer.objects if c.name not in aside) or answer.objects)
    if about != ME and _GONE_ZH.search(piece):
        feelings = replace(feelings, ended=True)
    if answer.slot in {"", "possession"} and about != ME and any(c.kind == "name" for c in kept):
        answer = Filled("named", answer.objects)
    if _NOT_X.match(piece):
        answer = replace(answer, slot="")
    if answer.slot in {"name", "address"} and before is not None and before.slot == "named" and about == ME:
        answer = Filled("named", answer.objects)
    if answer.slot in {"named", "name", "address"} and about != ME:
        owned = tuple(c for c in (*found, *(before.objects if before else ())) if c.name == about)[:1]
        answer, about = Filled("named", (*owned, *(c for c in answer.objects if c.name != about))), ME
    if (
        about not in {ME, SOMEBODY}
        and not answer.slot
        and _IS_IN.search(piece)
        and all(c.kind == "place" for c in answer.objects)
    ):
        answer = replace(answer, slot="residence")
    if about != ME and answer.slot in {"household", "residence"} and _WITH_ME.search(piece):
        who = next((c for c in found if c.name == about), Concept(about, "relative"))
        answer, about = Filled("household", (who,)), ME
    if answer.slot in _TWO_WAYS and feelings.denied and not feelings.ended and len(answer.objects) == 1:
        answer = replace(answer, objects=(_OPPOSITE.get(answer.objects[0].name, answer.objects[0]),))
        feelings = replace(feelings, denied=answer.objects[0].name not in {c.name for c in _OPPOSITE.values()})
    counted = tuple(_on_the_scale_of(answer.slot, quantity) for quantity in counted)
    return Claim(
        text=piece,
        subject=about,
        slot=answer.slot,
        objects=answer.objects,
        said=frozenset(c.name for c in found),
        words=found,
        counts=counted,
        mood=feelings,
        ranking=answer.ranking,
        instead_of=aside,
    )


def _on_the_scale_of(slot: str, quantity: Quantity) -> Quantity:
    """Return the quantity in the unit its slot implies: pounds of money or of weight, a height of 165."""
    if quantity.kind == "pound":
        return Quantity("kg", quantity.value * 0.4536) if slot == "weight" else Quantity("gbp", quantity.value)
    if slot == "height" and quantity.kind == "n" and 100 < quantity.value < 250:  # noqa: PLR2004 - centimetres
        return Quantity("m", quantity.value / 100)
    return quantity


def _antecedent(before: Claim) -> str:
    """Return whom "he", "she" or "they" means after `before`."""
    if before.subject != ME:
        return before.subject
    people = [c.name for c in before.objects if c.kind in PERSONS]
    return people[-1] if people else SOMEBODY


def _completes(claim: Claim, before: Claim) -> bool:
    """Return whether `claim` only goes on about what `before` said: "not anymore", "现在不住了", "max"."""
    if claim.ranking or before.ranking or any(event.pattern.search(claim.text) for event in EVENTS):
        return False
    if claim.counts and not (claim.objects or claim.slot or before.counts or before.slot):
        return True
    if _fills(claim, before) or _goes_with(claim, before):
        return True
    if (
        not claim.objects
        and not claim.counts
        and claim.slot in {"", before.slot, "household", "residence", "employer", "intake", "possession"}
    ):
        return claim.subject in {before.subject, ME}
    return False


def _fills(claim: Claim, before: Claim) -> bool:
    """Return whether `claim` gives the value that `before` left out: "我换工作了,现在在蓝海科技"."""
    return (
        before.slot in {"employer", "job", "residence", "study", "commute"}
        and not before.objects
        and not claim.slot
        and bool(claim.objects)
        and claim.subject == before.subject
        and not claim.negative
        and not before.mood.ended
        and not re.match(r"(?:my|our)\b|我[的们]", claim.text)
    )


def _goes_with(claim: Claim, before: Claim) -> bool:
    """Return whether `claim` tells what holds of the things `before` named: "蘑菇挺好吃的,现在爱吃了"."""
    return (
        not claim.objects
        and not claim.counts
        and claim.slot in {"taste", "intake"}
        and before.slot in {"", "intake"}
        and bool(before.objects)
        and claim.subject == before.subject
        and all(c.kind in EDIBLE for c in before.objects if c.kind)
        and any(c.kind for c in before.objects)
        and not claim.mood.ended
        and not claim.mood.denied
    )


def _completed(before: Claim, claim: Claim) -> Claim:
    if _fills(claim, before):
        return replace(claim, slot=before.slot, said=before.said | claim.said, mood=replace(claim.mood, changed=True))
    if _goes_with(claim, before) and claim.slot == "taste":
        return replace(claim, objects=tuple(c for c in before.objects if c.kind), said=before.said | claim.said)
    was, now = before.mood, claim.mood
    if now.past and not was.past and not claim.counts:
        return before
    return replace(
        before,
        mood=replace(
            was,
            ended=was.ended or now.ended,
            tentative=was.tentative or now.tentative,
            passing=was.passing or now.passing,
            partial=was.partial or now.partial,
            added=was.added or now.added,
            changed=was.changed or now.changed,
            past=was.past,
            unreal=was.unreal or now.unreal,
            denied=was.denied
            or (now.denied and not _NOT_X.match(claim.text) and not now.ended and not was.ended and not was.past),
        ),
        said=before.said | claim.said,
        counts=before.counts or claim.counts,
    )
