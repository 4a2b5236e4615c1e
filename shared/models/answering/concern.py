"""Whether something that is remembered concerns a message: by what both name, ask and answer, in either language.

concern(message, text) lies in [0, 1]:

- ANSWERS where the text answers the question a clause of the message asks about the person: "where do I live" and
  "I live in Lisbon";
- ON_TOPIC where it speaks of the topic the message names, and of all else the message names: "how old is Emma" and
  "Emma is six"; more where they share words too;
- else the share of the message's concepts the text has: Σ weight of shared ones / Σ weight of all, where what many
  statements hold (deeds, times) weighs LIGHT and what every request is made of weighs nothing.

What speaks of other persons than the message does concerns it by its words for things alone. From CONCERNS on a text
may answer a question; from STRONGLY on it may be mentioned unasked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from shared.models.descriptions.topics import Topic, topics_of
from shared.models.relations.claims import Claim, claims
from shared.models.relations.concepts import Concept, concepts
from shared.models.relations.folding import fold
from shared.models.relations.slots import EDIBLE
from shared.models.relations.subjects import ME, PERSONS

CONCERNS: Final = 0.5
STRONGLY: Final = 0.6
ANSWERS: Final = 1.0
ON_TOPIC: Final = 0.6
ON_EATING: Final = 0.55
LIGHT: Final = 0.35

_DRINKS: Final = frozenset({"drink", "alcohol", "alcohol-any"})
_LIGHT_KINDS: Final = frozenset({"do", "deed", "daypart", "period", "weekday", "month", "season"})
_ASKING: Final = frozenset(
    {
        "suggest", "recommend", "plan", "tell", "remind", "give", "show", "list", "explain", "describe",
        "write", "draft", "find", "help", "make", "compare", "summarize", "translate", "know", "remember", "memory",
        "say", "idea", "advice", "name", "thing", "question", "answer", "people", "person", "user", "something",
        "anything", "please", "need", "want", "try", "good", "best", "nice", "new", "some", "like", "love", "think",
        "get", "go", "come", "do", "use", "have", "maybe", "currently", "推荐", "建议", "告诉", "提醒", "知道",
        "记得", "记住", "说", "想", "帮", "帮我", "给", "给我", "写", "找", "查", "介绍", "解释", "总结", "翻译",
        "列出", "东西", "事", "事情", "问题", "一下", "什么", "怎么",
    }
)  # fmt: skip
"""What requests are made of, whatever they are about."""
_MEALS: Final = frozenset(
    {"eat", "cook", "bake", "order in", "lunch", "dinner", "breakfast", "snack", "recipe", "restaurant"}
)
_FOOD_HEALTH: Final = frozenset({"allergy", "intolerance", "celiac", "diabetes"})
_MANY_ANSWERS: Final = frozenset({"", "taste", "possession", "intake", "named", "household"})
"""Slots of which a person has many answers: sharing one says nothing."""
_EATING: Final = frozenset({"diet", "intake", "allergy"})
"""Slots that bear on whatever is to be eaten."""
_PARTICLE: Final = re.compile(r"[\u4e00-\u9fff]")
"""A single character the vocabulary does not know is no word."""


@dataclass(frozen=True)
class Read:
    """A message or a remembered text, read once."""

    text: str

    @cached_property
    def folded(self) -> str:
        """The text as texts are compared."""
        return fold(self.text)

    @cached_property
    def found(self) -> tuple[Concept, ...]:
        """Its concepts that say something, each once."""
        return _found(self.folded)

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """What it says or asks, clause by clause."""
        return tuple(claims(self.text))

    @cached_property
    def topics(self) -> tuple[Topic, ...]:
        """What it asks for by name."""
        return topics_of(self.folded)

    @cached_property
    def is_about_a_meal(self) -> bool:
        """Whether it speaks of what one eats."""
        return any((one.kind in EDIBLE and one.kind not in _DRINKS) or one.name in _MEALS for one in self.found)

    @property
    def is_about_health(self) -> bool:
        """Whether it speaks of an illness or a medicine."""
        return any(one.kind == "health" for one in self.found)

    @property
    def persons(self) -> frozenset[str]:
        """The persons and animals it speaks of, beside its speaker."""
        return _persons(self.found)

    @property
    def speaks_of_its_speaker(self) -> bool:
        """Whether some of it is about whoever said it."""
        return not self.persons or any(claim.subject == ME for claim in self.claims)

    def has(self, concept: Concept) -> bool:
        """Whether it names something, or a kind of it: green tea is tea, a younger sister a sister."""
        name = concept.name
        return any(one.name == name or one.name.endswith(f" {name}") for one in self.found)


def concern(message: Read, text: Read) -> float:
    """Return how much a remembered text concerns a message, in [0, 1]."""
    return max(_share(message, text), _answers(message, text), _on_topic(message, text), _on_eating(message, text))


def endangers(message: Read, text: Read) -> bool:
    """Return whether a safety matter bears on a message: less is enough, and food is one thing here, as is health."""
    if concern(message, text) >= LIGHT or (message.is_about_health and text.is_about_health):
        return True
    return message.is_about_a_meal and (text.is_about_a_meal or any(one.name in _FOOD_HEALTH for one in text.found))


def _found(folded: str) -> tuple[Concept, ...]:
    said = (one for one in concepts(folded) if one.kind != "-" and one.name not in _ASKING)
    return tuple(dict.fromkeys(one for one in said if one.kind or not _PARTICLE.fullmatch(one.name)))


def _persons(found: Iterable[Concept]) -> frozenset[str]:
    return frozenset(one.name for one in found if one.kind in PERSONS)


def _share(message: Read, text: Read) -> float:
    shared = [one for one in message.found if text.has(one)]
    if not _of_the_same_persons(message, text) and all(one.kind in _LIGHT_KINDS for one in shared):
        return 0.0
    whole = sum(_weight(one) for one in message.found)
    return sum(_weight(one) for one in shared) / whole if whole else 0.0


def _weight(concept: Concept) -> float:
    return LIGHT if concept.kind in _LIGHT_KINDS else 1.0


def _of_the_same_persons(message: Read, text: Read, found: Iterable[Concept] | None = None) -> bool:
    """Whether a text speaks of whom a message asks: of the persons it names, or of the person themselves."""
    asked = [one for one in (message.found if found is None else found) if one.kind in PERSONS]
    return all(text.has(one) for one in asked) if asked else text.speaks_of_its_speaker


def _answers(message: Read, text: Read) -> float:
    if not _of_the_same_persons(message, text):
        return 0.0
    answered = {claim.slot for claim in text.claims}
    asked = [claim for claim in message.claims if claim.slot not in _MANY_ANSWERS and claim.slot in answered]
    return ANSWERS if any(_are_in(claim.objects, message, text) for claim in asked) else 0.0


def _are_in(objects: Iterable[Concept], message: Read, text: Read) -> bool:
    """Whether a text has all that a clause names; a clause that names nothing asks for it."""
    return all(text.has(one) for one in objects if one in message.found)


def _on_topic(message: Read, text: Read) -> float:
    for topic in message.topics:
        if not topic.said.search(text.folded):
            continue
        others = _found(topic.asked.sub(" ", message.folded))
        of_them = message.persons > _persons(others) or _of_the_same_persons(message, text, others)
        if of_them and all(text.has(one) for one in others):
            return min(ANSWERS, ON_TOPIC + _share(message, text) * (ANSWERS - ON_TOPIC))
    return 0.0


def _on_eating(message: Read, text: Read) -> float:
    """Of a request for something to eat: what its person does not eat, or must not."""
    if not message.is_about_a_meal or not text.speaks_of_its_speaker:
        return 0.0
    return ON_EATING if any(claim.slot in _EATING for claim in text.claims) else 0.0
