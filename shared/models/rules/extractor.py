"""The extractor that works without a language model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from shared.domain.tasks import outcome_of
from shared.models.extraction import Candidate, Utterance
from shared.models.rules import importance
from shared.models.rules.english.words import LIFE_THREATENING
from shared.models.rules.feelings import feeling_in
from shared.models.rules.folding import fold, mask
from shared.models.rules.reading import Finding, findings
from shared.models.rules.table import phrase
from shared.models.rules.task_hints import task_span
from shared.models.rules.tools import experience

_LIFE_THREATENING = phrase(LIFE_THREATENING)

_SENTENCE_END = re.compile(r"[.!?。！？\n]+")
_SENTENCE_START = re.compile(r"(?:^|[.!?\n])\s*$")

TEXT_LIMIT: Final = 500
"""Longest `Candidate.text`, in characters."""


class RuleExtractor:
    """Finds what a turn says about the person, in English and Chinese, in time linear in its length."""

    def extract(
        self,
        utterances: Sequence[Utterance],
        *,
        task: str | None = None,
        before: Sequence[tuple[str, str]] = (),  # noqa: ARG002 # rules look at the turn alone
    ) -> list[Candidate]:
        """Return candidates in the order of their evidence, without duplicates; of user and tool messages.

        `text` is the quoted span itself, at most `TEXT_LIMIT` characters, after its subject where it leaves that to the
        clause before it or to the reader ("work at the zoo": "I work at the zoo"). Of candidates that differ only in case,
        space or punctuation the first stays, unless a later one is explicit and it is not.
        """
        kept: dict[str, Candidate] = {}
        for index, utterance in enumerate(utterances):
            if utterance.role == "tool":
                learned = experience(index, utterance.text, utterance.name)
                found = [learned] if learned else []
            elif utterance.role == "user":
                found = list(_candidates(index, utterance.text))
                found += _outcomes(index, utterance.text, task, found)
            else:
                continue
            for candidate in found:
                key = _sameness(candidate.text)
                rival = kept.get(key)
                if rival is None:
                    kept[key] = candidate
                elif candidate.explicit and not rival.explicit:
                    kept[key] = replace(candidate, importance=max(candidate.importance, rival.importance))
        return sorted(kept.values(), key=lambda candidate: (candidate.utterance, candidate.quote_start))


def _candidates(index: int, text: str) -> Iterator[Candidate]:
    own = mask(fold(text))
    for found in findings(own):
        limit = TEXT_LIMIT - len(found.subject)
        end = found.end if found.end - found.start <= limit else _shortened_end(text, found.start, limit)
        yield Candidate(
            utterance=index,
            text=found.subject + _after_subject(found, text, end),
            content_type=found.rule.content_type,
            quote_start=found.start,
            quote_end=end,
            taboo=found.rule.taboo,
            importance=_importance(found, own),
            explicit=found.explicit,
            task_hint=_task_hint(text[found.start : end], own[found.start : end]),
            emotion=feeling_in(_sentence(text, found.start, end)),
        )


def _outcomes(index: int, text: str, task: str | None, found: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield how the task at hand ended, unless the same words were understood otherwise."""
    span = outcome_of(text) if task else None
    if span is None or any(one.quote_start < span[1] and one.quote_end > span[0] for one in found):
        return
    said = text[slice(*span)]
    if len(said) <= TEXT_LIMIT:
        yield Candidate(
            utterance=index,
            text=f"{task}: {said}",
            content_type="task_outcome",
            quote_start=span[0],
            quote_end=span[1],
            task_hint=task,
        )


def _after_subject(found: Finding, text: str, end: int) -> str:
    """Return the quote, its first letter small where a sentence begins with it: "I'm allergic", not "I'm Allergic"."""
    said = text[found.start : end]
    opens_sentence = _SENTENCE_START.search(text[max(0, found.start - 3) : found.start]) is not None
    return said[:1].lower() + said[1:] if found.subject.endswith(" ") and opens_sentence else said


def _sentence(text: str, start: int, end: int) -> str:
    """Return the sentence around a span, as far as `TEXT_LIMIT` characters before and after it."""
    before = _SENTENCE_END.split(text[max(0, start - TEXT_LIMIT) : start])[-1]
    after = "" if _SENTENCE_END.search(text[end - 1 : end]) else _SENTENCE_END.split(text[end : end + TEXT_LIMIT])[0]
    return before + text[start:end] + after


def _task_hint(quote: str, own: str) -> str | None:
    span = task_span(own)
    return quote[slice(*span)].strip() or None if span else None


def _importance(found: Finding, own: str) -> int:
    weight = found.rule.importance
    if found.rule.taboo and _LIFE_THREATENING.search(own, found.start, found.end):
        weight = importance.LIFE_THREATENING
    return max(weight, importance.ASKED_FOR) if found.explicit else weight


def _shortened_end(text: str, start: int, limit: int) -> int:
    """Return where to cut an overlong statement: after its last whole word, or inside a single endless one."""
    longest = text[start : start + limit]
    whole_words = longest.rstrip()
    if len(whole_words) == limit and " " in longest:
        whole_words = longest[: longest.rindex(" ")].rstrip()
    return start + len(whole_words)


def _sameness(text: str) -> str:
    letters = "".join(character for character in fold(text).casefold() if character.isalnum())
    return letters or text
