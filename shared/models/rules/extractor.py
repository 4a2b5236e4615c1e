"""The extractor that works without a language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from shared.models.extraction import Candidate, Utterance
from shared.models.rules.folding import fold, mask
from shared.models.rules.reading import findings

TEXT_LIMIT: Final = 500
"""Longest `Candidate.text`, in characters."""

EXPLICIT_IMPORTANCE: Final = 8


class RuleExtractor:
    """Finds what a turn says about the person, in English and Chinese, in time linear in its length."""

    def extract(self, utterances: Sequence[Utterance]) -> list[Candidate]:
        """Return candidates in the order of their evidence, without duplicates; user messages only.

        `text` is the quoted span itself, at most `TEXT_LIMIT` characters. Of candidates that differ only in case,
        space or punctuation the first stays, unless a later one is explicit and it is not.
        """
        kept: dict[str, Candidate] = {}
        for index, utterance in enumerate(utterances):
            if utterance.role != "user":
                continue
            for candidate in _candidates(index, utterance.text):
                key = _sameness(candidate.text)
                rival = kept.get(key)
                if rival is None:
                    kept[key] = candidate
                elif candidate.explicit and not rival.explicit:
                    kept[key] = replace(candidate, importance=max(candidate.importance, rival.importance))
        return sorted(kept.values(), key=lambda candidate: (candidate.utterance, candidate.quote_start))


def _candidates(index: int, text: str) -> Iterator[Candidate]:
    for found in findings(mask(fold(text))):
        end = found.end if found.end - found.start <= TEXT_LIMIT else _shortened_end(text, found.start)
        importance = found.rule.importance
        yield Candidate(
            utterance=index,
            text=text[found.start : end],
            content_type=found.rule.content_type,
            quote_start=found.start,
            quote_end=end,
            taboo=found.rule.taboo,
            importance=max(importance, EXPLICIT_IMPORTANCE) if found.explicit else importance,
            explicit=found.explicit,
        )


def _shortened_end(text: str, start: int) -> int:
    """Return where to cut an overlong statement: after its last whole word, or inside a single endless one."""
    longest = text[start : start + TEXT_LIMIT]
    whole_words = longest.rstrip()
    if len(whole_words) == TEXT_LIMIT and " " in longest:
        whole_words = longest[: longest.rindex(" ")].rstrip()
    return start + len(whole_words)


def _sameness(text: str) -> str:
    letters = "".join(character for character in fold(text).casefold() if character.isalnum())
    return letters or text
