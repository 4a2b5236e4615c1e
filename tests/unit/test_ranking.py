"""How what was found is ranked: the formula by hand, and what holds whatever was found."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.recall.rules.ranking import (
    DECAY,
    HALF_LIFE_DAYS,
    K1,
    MEANING,
    REACH,
    SAME,
    TIE,
    UNRELATED,
    Words,
    counts_near,
    meaning,
    recency,
    settled,
    task_match,
)

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
TEA, GREEN, CUP = 11, 22, 33

PLACES = st.dictionaries(st.integers(0, 5), st.sets(st.integers(1, 30), max_size=30), max_size=6)
COUNTS = st.dictionaries(st.integers(0, 7), st.floats(0, 1e6), max_size=8)


def idf(having: int, total: int) -> float:
    return math.log((total + 1) / (having + 0.5))


def near_all(_seq: int) -> bool:
    return True


def test_a_words_rarity_is_bm25s_idf() -> None:
    found = Words.of({TEA: [1], GREEN: [1, 2, 3], CUP: []}, total=9)

    assert found.rarity == {
        TEA: pytest.approx(idf(1, 9)),
        GREEN: pytest.approx(idf(3, 9)),
        CUP: pytest.approx(idf(0, 9)),
    }
    assert found.rarity[TEA] == pytest.approx(math.log(10 / 1.5))
    assert found.places == {TEA: {1}, GREEN: {1, 2, 3}, CUP: set()}


def test_the_words_of_an_item_are_those_whose_places_it_is_in() -> None:
    found = Words.of({TEA: [1], GREEN: [1, 2, 3], CUP: []}, total=9)

    assert found.of_items == {1: [TEA, GREEN], 2: [GREEN], 3: [GREEN]}


def test_more_items_than_there_are_said_to_be_make_no_negative_rarity() -> None:
    assert Words.of({TEA: range(100)}, total=3).rarity[TEA] == pytest.approx(math.log(1 + 0.5 / 100.5))


def test_the_words_part_weighs_each_word_by_its_rarity() -> None:
    found = Words({TEA: 2.0, GREEN: 1.0}, {TEA: frozenset({1}), GREEN: frozenset({1})})

    assert found.score({TEA: 1.0}) == pytest.approx(2 / 3 * (1 / (1 + K1)))
    assert found.score({TEA: 1.0, GREEN: 3.0}) == pytest.approx((2 * 1 / 2.2 + 1 * 3 / 4.2) / 3)
    assert found.score({CUP: 9.0}) == found.score({}) == 0.0
    assert Words({}, {}).score({TEA: 1.0}) == 0.0


def test_a_word_that_no_item_has_makes_what_the_others_find_worth_less() -> None:
    alone = Words.of({TEA: [1]}, total=9).score({TEA: 1.0})
    with_another = Words.of({TEA: [1], GREEN: []}, total=9)

    assert with_another.score({TEA: 1.0}) < alone
    assert with_another.of_items == {1: [TEA]}


def test_the_items_with_the_rarest_words_come_first() -> None:
    found = Words(
        {TEA: 2.0, GREEN: 1.5, CUP: 0.4}, {TEA: frozenset({3}), GREEN: frozenset({4, 1}), CUP: frozenset({1})}
    )

    assert found.best(9) == [3, 1, 4]
    assert found.best(2) == [3, 1]
    assert Words({TEA: 1.0}, {TEA: frozenset({7, 5, 6})}).best(3) == [5, 6, 7], "ties by item"


def test_a_neighbours_words_count_by_half_at_each_step() -> None:
    words = {10: [TEA, GREEN], 11: [GREEN], 14: [CUP]}

    assert counts_near(10, words, near_all) == {TEA: 1.0, GREEN: 1.0 + DECAY}
    assert counts_near(12, words, near_all) == {TEA: 0.25, GREEN: 0.25 + 0.5, CUP: 0.25}
    assert counts_near(13, words, near_all) == {TEA: 0.125, GREEN: 0.125 + 0.25, CUP: 0.5}
    assert counts_near(14, words, near_all) == {GREEN: 0.125, CUP: 1.0}
    assert counts_near(10 - REACH - 1, words, near_all) == {}


def test_words_of_a_message_that_is_not_near_do_not_count_but_its_own_do() -> None:
    words = {10: [TEA], 11: [GREEN]}

    assert counts_near(10, words, lambda seq: seq != 11) == {TEA: 1.0}
    assert counts_near(11, words, lambda _: False) == {GREEN: 1.0}


def test_meaning_grows_from_unrelated_texts_to_the_same_text() -> None:
    assert meaning(-1.0) == meaning(UNRELATED) == 0.0
    assert meaning((UNRELATED + SAME) / 2) == pytest.approx(0.5)
    assert meaning(SAME) == meaning(1.0) == 1.0


def test_totals_that_tie_are_made_equal_wherever_a_border_lies() -> None:
    assert settled({1: 0.5, 2: 0.5 + TIE / 4, 3: 0.5 - TIE / 4, 4: 0.5 - 2 * TIE}) == {
        1: 0.5 + TIE / 4,
        2: 0.5 + TIE / 4,
        3: 0.5 + TIE / 4,
        4: 0.5 - 2 * TIE,
    }
    assert settled({1: 0.5, 2: 0.5 - 1.5 * TIE}) == {1: 0.5, 2: 0.5 - 1.5 * TIE}
    assert settled({}) == {}


def test_the_task_counts_by_the_share_of_its_words_that_a_hint_has() -> None:
    assert task_match(["book", "flight", "book"], ["flight", "tokyo"]) == 0.5
    assert task_match(["订票"], ["订票", "东京"]) == 1.0
    assert task_match([], ["flight"]) == task_match(["flight"], []) == 0.0


def test_recency_halves_with_every_half_life() -> None:
    for half_lives in range(4):
        at = NOW - timedelta(days=HALF_LIFE_DAYS * half_lives)
        assert recency(at, NOW) == pytest.approx(0.5**half_lives)
    assert recency(NOW + timedelta(days=9), NOW) == 1.0


@given(PLACES, COUNTS, st.integers(0, 40))
def test_the_words_part_lies_between_none_and_all_and_grows_with_every_word(
    places: Mapping[int, set[int]], counts: dict[int, float], total: int
) -> None:
    found = Words.of(places, total=total)
    score = found.score(counts)

    assert 0.0 <= score <= 1.0
    for word in found.rarity:
        assert found.score(counts | {word: counts.get(word, 0.0) + 1.0}) >= score


@given(PLACES, st.integers(0, 40), st.integers(0, 40), st.randoms())
def test_no_order_of_what_was_found_changes_anything(
    places: dict[int, set[int]], total: int, limit: int, made_up: Random
) -> None:
    def shuffled(some: Iterable[int]) -> list[int]:
        listed = sorted(some)
        made_up.shuffle(listed)
        return listed

    again = {word: shuffled(places[word]) for word in shuffled(places)}
    one, other = Words.of(places, total=total), Words.of(again, total=total)

    assert one == other
    assert one.best(limit) == other.best(limit)
    items = {item for some in places.values() for item in some}
    assert one.best(len(items) + 1) == sorted(one.best(len(items) + 1), key=lambda item: _rank(one, item))
    assert set(one.best(len(items))) == items
    for seq in items:
        assert counts_near(seq, one.of_items, near_all) == counts_near(seq, other.of_items, near_all)


def _rank(found: Words[int], item: int) -> tuple[float, int]:
    return -round(sum(found.rarity[word] for word, items in found.places.items() if item in items), 9), item


@given(PLACES, st.integers(1, 30), st.sets(st.integers(1, 30)))
def test_what_is_near_adds_and_never_takes_away(places: dict[int, set[int]], seq: int, there: set[int]) -> None:
    words = Words.of(places, total=30).of_items
    alone = counts_near(seq, words, lambda _: False)
    some = counts_near(seq, words, there.__contains__)
    everything = counts_near(seq, words, near_all)

    for word in places:
        assert alone.get(word, 0.0) <= some.get(word, 0.0) <= everything.get(word, 0.0)
        # itself, and twice as much as the sum of halves
        assert everything.get(word, 0.0) <= 1 + 2 * sum(DECAY**step for step in range(1, REACH + 1))


@given(st.lists(st.floats(-1, 1), max_size=20))
def test_meaning_keeps_the_order_of_cosines_and_lies_between_none_and_all(cosines: list[float]) -> None:
    found = [meaning(cosine) for cosine in sorted(cosines)]

    assert all(0.0 <= one <= 1.0 for one in found)
    assert all(one <= other for one, other in pairwise(found))


NOISE = st.floats(-1e-6, 1e-6)
"""What two processors differ by in a cosine, at most."""


@given(st.floats(-1, 1), NOISE)
def test_the_processors_noise_moves_no_meaning_by_more_than_it_says(cosine: float, noise: float) -> None:
    assert abs(meaning(cosine + noise) - meaning(cosine)) <= 1e-5


@given(st.lists(st.floats(-1, 1), max_size=12), st.lists(st.integers(0, 11), max_size=24), st.data())
def test_ties_stay_ties_under_the_processors_noise(cosines: list[float], of: list[int], data: st.DataObject) -> None:
    same = {item: cosines[which] for item, which in enumerate(of) if which < len(cosines)}
    noisy = {item: cosine + data.draw(NOISE) for item, cosine in same.items()}
    totals = {item: MEANING * meaning(cosine) for item, cosine in noisy.items()}
    found = settled(totals)

    assert all(abs(totals[item] - MEANING * meaning(same[item])) <= 1e-4 for item in same)
    for one, other in product(same, repeat=2):
        if same[one] == same[other]:
            assert found[one] == found[other]
        elif totals[one] - totals[other] >= len(same) * TIE:
            assert found[one] > found[other]


@given(st.dictionaries(st.integers(), st.floats(0, 2), max_size=20))
def test_settling_never_turns_an_order_around_and_only_raises(totals: dict[int, float]) -> None:
    found = settled(totals)

    assert set(found) == set(totals)
    assert all(found[item] >= total for item, total in totals.items())
    ordered = sorted(totals, key=totals.__getitem__)
    assert all(found[one] <= found[other] for one, other in pairwise(ordered))
    assert settled(found) == found


@given(st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_what_is_newer_is_never_worth_less(one: datetime, other: datetime) -> None:
    now = max(one, other)
    older, newer = sorted((recency(one, now), recency(other, now)))

    assert 0.0 <= older <= newer == 1.0


@given(st.lists(st.sampled_from("abcd")), st.lists(st.sampled_from("abcd")))
def test_a_task_matches_by_what_it_shares_whatever_the_order(wanted: list[str], hint: list[str]) -> None:
    share = task_match(wanted, hint)

    assert 0.0 <= share <= 1.0
    assert share == task_match(wanted[::-1] * 2, hint[::-1])
    assert (share == 1.0) == (bool(wanted) and set(wanted) <= set(hint))
