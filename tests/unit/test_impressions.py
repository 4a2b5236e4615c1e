"""Which traits an assistant is told about, and in what order."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import cast
from uuid import UUID

from shared.language.embedding.socket import EmbedderFailed
from shared.recall import impressions
from shared.recall.impressions import with_relevance
from shared.recall.rules.impressions import fitting_impressions, stable_impressions
from shared.recall.rules.items import Group, Item, LeftOut
from shared.recall.rules.state import Impression
from shared.recall.stores import Stores
from shared.traits.catalogue import behaviors, catalogue

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def impression(
    number: int, subtype: str, stage: str, *, relevance: float | None = None, always: bool = False
) -> Impression:
    return Impression(
        id=UUID(int=number),
        text=f"trait {number}",
        subtype=subtype,
        stage=stage,
        context="general",
        confidence=0.5,
        importance=5,
        always=always,
        last_reinforced=NOW - timedelta(days=3),
        updated_at=NOW,
        relevance=relevance,
    )


def test_core_traits_and_preferences_come_first_and_habits_by_how_they_fit() -> None:
    all_ = [
        impression(1, "core", "established"),
        impression(2, "preference", "core"),
        impression(3, "preference", "emerging", relevance=0.8),
        impression(8, "core", "emerging", relevance=0.4),
        impression(4, "behavior", "emerging", relevance=0.9),
        impression(5, "behavior", "core", relevance=0.9),
        impression(6, "behavior", "core", relevance=0.2),
        impression(7, "behavior", "emerging", always=True),
    ]
    stable = stable_impressions(all_)
    assert [(one.id.int, one.group) for one in stable] == [(1, Group.CORE), (2, Group.PREFERENCES)]
    offered = fitting_impressions(all_, now=NOW)
    assert [one.id.int for one in offered if isinstance(one, Item)] == [5, 7, 4, 3]
    left = {one.id.int: one.why for one in offered if isinstance(one, LeftOut)}
    assert left == {6: "not_related", 8: "not_related"}


def test_nobody_is_told_more_than_a_few_habits() -> None:
    all_ = [impression(number, "behavior", "emerging", relevance=1.0) for number in range(1, 9)]
    offered = fitting_impressions(all_, now=None)
    assert sum(isinstance(one, Item) for one in offered) == 5
    assert {one.why for one in offered if isinstance(one, LeftOut)} == {"limit"}


def test_only_traits_in_words_of_their_own_are_embedded_for_a_question() -> None:
    """The catalogue's sentences are embedded once a process: a recall waits for one text at most, its question."""
    embedded: list[str] = []

    class Embedding:
        embedder: Embedding

        def query_vector(self, _text: str) -> list[float]:
            return [1.0]

        def passages(self, texts: list[str]) -> list[list[float]]:
            embedded.extend(texts)
            return [[1.0] for _ in texts]

    stores = Embedding()
    stores.embedder = stores
    sentence = catalogue()[next(iter(behaviors()))].sentence("en")
    habits = (
        replace(impression(1, "behavior", "emerging"), text=sentence),
        replace(impression(2, "behavior", "emerging"), text="Sorts tea by colour."),
    )
    impressions._SENTENCES.clear()
    told = [with_relevance(habits, cast("Stores", stores), "Which kettle?") for _ in range(2)]
    impressions._SENTENCES.clear()

    assert [one.relevance for one in told[0]] == [one.relevance for one in told[1]] == [0.0, 0.0]
    assert embedded.count(sentence) == 1
    assert embedded.count("Sorts tea by colour.") == 2


def test_a_model_that_fails_leaves_them_without_relevance() -> None:
    class Failing:
        def query_vector(self, _text: str) -> list[float]:
            raise EmbedderFailed

    habits = (impression(1, "behavior", "emerging"),)
    assert with_relevance(habits, cast("Stores", Failing()), "Which kettle?") == habits
