"""The rules of traits: golden numbers, and properties of portraits."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.reader.habits import NOTHING, WEIGHTS
from shared.traits.catalogue import behaviors, catalogue, vocabulary
from shared.traits.rules.confidence import BOOST, contradicted, decayed, reinforced, stage_of
from shared.traits.rules.portrait import portrait
from shared.traits.rules.types import Cycle, Decision, Known, Observation, Pattern, Trait

BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
KEY = "compares-prices"
OPPOSITE = "buys-on-a-whim"


def ident(number: int) -> UUID:
    return UUID(int=number)


def seen(
    number: int,
    day: float,
    *,
    key: str = KEY,
    chat: int | None = None,
    context: str = "general",
    form: str = "told",
    shows: bool = True,
    sure: float = 1.0,
) -> Observation:
    """Return an observation on a day, counted by the reflection of that day."""
    return Observation(
        id=ident(number),
        key=key,
        shows=shows,
        form=form,  # type: ignore[arg-type]
        context=context,  # type: ignore[arg-type]
        occasion=ident(10_000 + (number if chat is None else chat)),
        at=BEGAN + timedelta(days=day),
        cycle=ident(20_000 + int(day)),
        sure=sure,
    )


def known(*observations: Observation, until: float, **more: object) -> Known:
    days = {int((one.at - BEGAN) / timedelta(days=1)) for one in observations} | set(range(int(until) + 1))
    cycles = [Cycle(id=ident(20_000 + day), at=BEGAN + timedelta(days=day, hours=12)) for day in sorted(days)]
    return Known(observations=observations, cycles=cycles, now=BEGAN + timedelta(days=until, hours=12), **more)  # type: ignore[arg-type]


def traits(*observations: Observation, until: float, **more: object) -> dict[str, Trait]:
    return portrait(vocabulary(), known(*observations, until=until, **more))


def test_golden_numbers() -> None:
    assert reinforced(0.4, "C") == pytest.approx(0.49)
    assert contradicted(0.72, 1) == pytest.approx(0.576)
    assert contradicted(1.0, 2) == pytest.approx(0.7)
    assert contradicted(1.0, 9) == pytest.approx(0.6)
    assert decayed(0.4, "behavior", days=100, reinforcements=5) == pytest.approx(0.2866, abs=5e-5)
    assert decayed(0.72, "preference", days=30, reinforcements=5) == pytest.approx(0.6918, abs=5e-5)
    assert [stage_of(one) for one in (0.3, 0.31, 0.59, 0.6, 0.85, 0.86)] == [
        "candidate",
        "emerging",
        "emerging",
        "established",
        "established",
        "core",
    ]
    assert BOOST == {"emerging": 0.05, "established": 0.15, "core": 0.25}


def test_the_reader_knows_every_behavior_of_the_catalogue() -> None:
    with np.load(WEIGHTS) as weights:
        assert tuple(weights["labels"]) == (*NOTHING, *behaviors())


def test_the_catalogue_is_consistent() -> None:
    known_entries = catalogue()
    order = ["behavior", "preference", "core"]
    for entry in known_entries.values():
        assert entry.en
        assert entry.zh
        for parent in entry.parents:
            assert order.index(known_entries[parent].subtype) == order.index(entry.subtype) + 1
        if entry.opposite:
            assert known_entries[entry.opposite].opposite == entry.key


def test_three_pieces_in_conversations_of_their_own_make_a_behavior() -> None:
    found = traits(seen(1, 0), seen(2, 3), seen(3, 6), until=6)[KEY]
    assert (found.stage, found.reinforcements) == ("emerging", 3)
    assert found.confidence == pytest.approx(0.4, abs=0.01)


def test_one_conversation_makes_nothing() -> None:
    assert traits(*(seen(n, 0.01 * n, chat=1) for n in range(1, 9)), until=40) == {}


def test_two_pieces_within_two_weeks_are_a_trend_that_ends() -> None:
    lately = traits(seen(1, 0), seen(2, 5), until=10)[KEY]
    assert (lately.stage, lately.confidence, lately.window) == (
        "trend",
        None,
        (BEGAN, BEGAN + timedelta(days=30)),
    )
    assert traits(seen(1, 0), seen(2, 5), until=31)[KEY].stage == "dissolved"


def test_a_trend_that_goes_on_becomes_a_behavior() -> None:
    found = traits(seen(1, 0), seen(2, 5), seen(3, 12), until=12)[KEY]
    assert (found.stage, found.derived_from) == ("emerging", "trend_promotion")


def test_a_trend_that_two_reflections_found_more_of_stays_as_a_candidate() -> None:
    lately = [seen(1, 0), seen(2, 1), *(seen(n, n, chat=2) for n in (3, 4))]  # two conversations make no behavior yet
    before = traits(*lately, until=29)[KEY]
    assert (before.stage, before.reinforcements, before.window) == ("trend", 2, (BEGAN, BEGAN + timedelta(days=30)))
    after = traits(*lately, until=31)[KEY]
    assert (after.stage, after.base, after.window) == ("candidate", 0.3, None)
    assert after.derived_from == "trend_promotion"
    assert traits(*lately[:3], until=31)[KEY].stage == "dissolved", "one reflection is not enough"


def test_a_trend_that_its_person_confirmed_stays_as_a_candidate() -> None:
    decided = {KEY: Decision(confirmed_at=BEGAN + timedelta(days=10))}
    found = traits(seen(1, 0), seen(2, 5), until=40, decisions=decided)[KEY]
    assert (found.stage, found.window) == ("emerging", None), "what is confirmed counts as if stated once more"
    late = {KEY: Decision(confirmed_at=BEGAN + timedelta(days=35))}
    assert traits(seen(1, 0), seen(2, 5), until=40, decisions=late)[KEY].stage == "dissolved"


def test_what_dissolved_begins_anew_and_not_where_it_was() -> None:
    once = [seen(n, 3 * n) for n in range(1, 4)]
    assert traits(*once, until=400)[KEY].stage == "dissolved"
    again = [*once, seen(4, 401), seen(5, 404)]
    lately = traits(*again, until=405)[KEY]
    assert (lately.stage, lately.base, lately.confidence) == ("trend", None, None)
    more = [*again, seen(6, 407), seen(7, 410)]
    found = traits(*more, until=440)[KEY]
    assert (found.stage, found.window) == ("emerging", None), "a month later it is still there"


def test_what_a_host_brings_late_counts_where_it_was_said() -> None:
    """The reflection of today counts a message of three years ago last."""
    earlier = Observation(
        id=ident(9), key=KEY, shows=True, form="told", context="general", occasion=ident(10_009),
        at=BEGAN - timedelta(days=1_000), cycle=ident(20_001), sure=1.0,
    )  # fmt: skip
    today = [seen(1, 0), seen(2, 1)]
    found = traits(*today, earlier, until=2)[KEY]
    assert (found.stage, found.first_observed) == ("emerging", earlier.at)
    assert found.last_reinforced == today[-1].at
    assert traits(today[0], earlier, until=2)[KEY].stage == "candidate", "two pieces years apart are no trend"


def test_saying_it_again_in_the_same_conversation_is_one_statement() -> None:
    before = [seen(number, 3 * number - 3) for number in (1, 2, 3)]
    said = [seen(n, 9, chat=50, form="stated") for n in range(4, 14)]
    found = traits(*before, *said, until=9)[KEY]
    assert [grade for _, grade in found.supporting[3:]] == ["B", *["D"] * 9]
    assert found.stage != "core"


def test_a_mood_is_watched_for_two_weeks() -> None:
    moods = {**vocabulary(), "lately-tense": Pattern(key="lately-tense", subtype="behavior", mood=True)}
    pieces = [seen(n, n, key="lately-tense") for n in (1, 2)]
    assert portrait(moods, known(*pieces, until=14))["lately-tense"].stage == "trend"
    assert portrait(moods, known(*pieces, until=16))["lately-tense"].stage == "dissolved"


def test_two_pieces_over_weeks_are_a_candidate() -> None:
    found = traits(seen(1, 0), seen(2, 20), until=20)[KEY]
    assert found.stage == "candidate"
    assert found.base == pytest.approx(1 - 0.85**2)


@pytest.mark.parametrize(
    ("piece", "grade"),
    [
        ({"day": 9, "context": "personal"}, "A"),
        ({"day": 9, "form": "stated"}, "B"),
        ({"day": 9, "context": "work"}, "C"),
        ({"day": 6.1, "chat": 3}, "D"),
        ({"day": 9, "form": "signal"}, "D"),
    ],
)
def test_grades(piece: dict[str, object], grade: str) -> None:
    before = [seen(number, 3 * number - 3, context="work") for number in (1, 2, 3)]
    found = traits(*before, seen(4, **piece), until=9)[KEY]  # type: ignore[arg-type]
    assert found.supporting[-1] == (ident(4), grade)


def test_what_is_not_seen_any_more_decays_and_dissolves() -> None:
    early = traits(*(seen(n, 3 * n) for n in range(1, 4)), until=9)[KEY]
    later = traits(*(seen(n, 3 * n) for n in range(1, 4)), until=120)[KEY]
    assert later.confidence < early.confidence  # type: ignore[operator]
    assert later.base == early.base
    gone = traits(*(seen(n, 3 * n) for n in range(1, 4)), until=400)[KEY]
    assert (gone.stage, gone.steps[-1].change) == ("dissolved", "dissolved")


def test_a_change_of_habit_replaces_it() -> None:
    before = [seen(n, 5 * n) for n in range(1, 8)]
    after = [seen(20 + n, 60 + 5 * n, key=OPPOSITE) for n in range(1, 6)]
    found = traits(*before, *after, until=88)
    assert found[OPPOSITE].present
    assert found[KEY].stage == "dissolved"


def test_what_differs_by_context_is_split_and_no_contradiction() -> None:
    at_work = [seen(n, 6 * n, key="double-checks-work", context="work") for n in range(1, 6)]
    at_home = [seen(20 + n, 6 * n + 2, key="accepts-good-enough", context="personal") for n in range(1, 6)]
    both = traits(*at_work, *at_home, until=40)
    found = both["double-checks-work"]
    assert both["accepts-good-enough"].stage == "dissolved", "it is a tendency of the other now"
    assert found.context == "contextual"
    assert {label: one.key for label, one in found.contexts.items()} == {
        "work": "double-checks-work",
        "personal": "accepts-good-enough",
    }
    assert found.present


def test_two_pieces_from_a_context_of_their_own_are_a_tendency_beside_a_behavior() -> None:
    at_work = [seen(n, 6 * n, key="double-checks-work", context="work") for n in range(1, 4)]
    at_home = [seen(20 + n, 6 * n + 2, key="accepts-good-enough", context="personal") for n in range(1, 3)]
    found = traits(*at_work, *at_home, until=40)["double-checks-work"]
    assert found.contexts.keys() == {"work", "personal"}
    assert traits(*at_work[:2], *at_home, until=40)["double-checks-work"].contexts == {}


def test_doubtful_pieces_are_no_tendency_of_a_context() -> None:
    at_work = [seen(n, 6 * n, key="double-checks-work", context="work") for n in range(1, 6)]
    at_home = [seen(20 + n, 6 * n + 2, key="accepts-good-enough", context="personal", sure=0.4) for n in range(1, 6)]
    assert traits(*at_work, *at_home, until=40)["double-checks-work"].contexts == {}
    assert traits(*(at_work[:1]), *at_home, until=40) == {}


def test_what_differs_by_context_decays_once_however_often_somebody_reflects() -> None:
    pieces = [seen(n, 6 * n, key="double-checks-work", context="work") for n in range(1, 6)]
    pieces += [seen(20 + n, 6 * n + 2, key="accepts-good-enough", context="personal") for n in range(1, 6)]
    early, late = (traits(*pieces, until=day)["double-checks-work"] for day in (40, 140))
    assert early.base == late.base
    assert (late.confidence or 0) < (early.confidence or 0) < (early.base or 0)


def test_what_no_longer_differs_by_context_is_one_again() -> None:
    at_work = [seen(n, 6 * n, key="double-checks-work", context="work") for n in range(1, 6)]
    private = [seen(20 + n, 6 * n + 2, key="accepts-good-enough", context="personal") for n in range(1, 6)]
    later = [seen(40 + n, 40 + 3 * n, key="accepts-good-enough", context="work", form="stated") for n in range(1, 13)]
    assert traits(*at_work, *private, until=40)["double-checks-work"].contexts
    found = traits(*at_work, *private, *later, until=90)
    assert found["double-checks-work"].stage == "dissolved"
    assert found["accepts-good-enough"].present
    assert found["accepts-good-enough"].contexts == {}


def split_pair() -> list[Observation]:
    pieces = [seen(n, 6 * n, key="double-checks-work", context="work") for n in range(1, 6)]
    return pieces + [seen(20 + n, 6 * n + 2, key="accepts-good-enough", context="personal") for n in range(1, 6)]


def test_what_the_person_says_in_general_ends_a_split() -> None:
    never = seen(90, 45, key="double-checks-work", form="stated", shows=False)
    found = traits(*split_pair(), never, until=46)["double-checks-work"]
    assert found.contexts == {}
    assert found.overruled
    more = seen(91, 50, key="double-checks-work", context="work")
    assert traits(*split_pair(), never, more, until=52)["double-checks-work"].contexts == {}, "it stays so"
    later = [
        seen(one.id.int + 200, (one.at - BEGAN) / timedelta(days=1) + 60, key=one.key, context=one.context)
        for one in split_pair()
    ]
    assert traits(*split_pair(), never, *later, until=110)["double-checks-work"].contexts, "until it differs again"


def test_a_confirmed_split_does_not_decay_and_a_chosen_context_holds() -> None:
    confirmed = {"double-checks-work": Decision(confirmed_at=BEGAN + timedelta(days=40))}
    early, late = (traits(*split_pair(), until=day, decisions=confirmed)["double-checks-work"] for day in (41, 600))
    assert late.contexts == early.contexts
    assert "dissolved" not in {step.change for step in late.steps}
    chosen = {"double-checks-work": Decision(context="work")}
    found = traits(*split_pair(), until=40, decisions=chosen)["double-checks-work"]
    assert (found.context, found.contexts) == ("work", {})


def test_a_split_trait_that_is_used_gains_by_it() -> None:
    used = {"double-checks-work": frozenset({ident(20_000 + 38)})}
    plain, recalled = (
        traits(*split_pair(), until=40, recalled=one)["double-checks-work"].base or 0 for one in ({}, used)
    )
    assert recalled == pytest.approx(plain + 0.02)


def test_what_is_contested_is_reviewed_once_for_what_speaks_against_it() -> None:
    pieces = [seen(n, n) for n in range(1, 5)] + [seen(20 + n, 5, key=OPPOSITE) for n in range(2)]
    found = traits(*pieces, until=40)[KEY]
    assert [step.change for step in found.steps].count("revised") == 1


def test_what_is_contested_and_holds_is_qualified_by_where_that_was_seen() -> None:
    pieces = [seen(n, n, context=place) for n, place in enumerate(("work", "personal", "work", "personal"), 1)]
    private = [seen(20 + n, 6 + n, key=OPPOSITE, context="personal") for n in range(2)]
    elsewhere = seen(30, 8, key=OPPOSITE, context="work")
    assert traits(*pieces, *private[:1], until=8)[KEY].qualified is None
    assert traits(*pieces, *private, until=8)[KEY].qualified == "personal"
    assert traits(*pieces, private[0], elsewhere, until=8)[KEY].qualified == "sometimes"
    at_work = [seen(50 + n, n, context="work") for n in range(1, 5)]
    contrary = [seen(60 + n, 6 + n, key=OPPOSITE, context="work") for n in range(2)]
    assert traits(*at_work, *contrary, until=8)[KEY].qualified == "sometimes", "it was seen nowhere else"
    later = [seen(40 + n, 10 + n) for n in range(2)]
    assert traits(*pieces, *private, *later, until=12)[KEY].qualified is None, "more speaks for it again"
    decided = {KEY: Decision(confirmed_at=BEGAN + timedelta(days=9))}
    assert traits(*pieces, *private, until=8, decisions=decided)[KEY].qualified is None


def test_more_evidence_does_not_lower_what_is_confirmed() -> None:
    decisions = {KEY: Decision(confirmed_at=BEGAN + timedelta(days=30))}
    pieces = [seen(n, 3 * n) for n in range(1, 9)]
    before = traits(*pieces, until=500, decisions=decisions)[KEY]
    after = traits(*pieces, seen(50, 499), until=500, decisions=decisions)[KEY]
    assert (after.confidence or 0) > (before.confidence or 0)


def test_two_sure_behaviors_make_a_preference_and_two_preferences_a_core_trait() -> None:
    pieces = []
    for place, key in enumerate(
        ("plans-ahead", "uses-checklists", "keeps-things-tidy", "double-checks-work", "writes-things-down")
    ):
        pieces += [seen(100 * place + n, 3 * n, key=key) for n in range(1, 16)]
    found = traits(*pieces, until=46)
    assert found["planning-ahead"].subtype == "preference"
    assert found["planning-ahead"].children == ("plans-ahead", "uses-checklists")
    mean = sum(found[key].confidence or 0 for key in ("plans-ahead", "uses-checklists")) / 2
    assert found["planning-ahead"].confidence == pytest.approx(mean, abs=0.02)
    assert found["conscientious"].subtype == "core"


def test_a_preference_gives_way_to_its_opposite_and_may_come_back() -> None:
    planning, spontaneous = ("plans-ahead", "uses-checklists"), ("follows-gut-feeling", "buys-on-a-whim")

    def told(keys: tuple[str, ...], start: int, count: int, number: int) -> list[Observation]:
        return [
            seen(number + 100 * place + n, start + 3 * n, key=key)
            for place, key in enumerate(keys)
            for n in range(count)
        ]

    first = told(planning, 0, 6, 1_000)
    assert traits(*first, until=20)["planning-ahead"].present
    then = told(spontaneous, 200, 12, 2_000)
    assert not traits(*first, *then, until=240)["planning-ahead"].present
    again = told(planning, 260, 20, 3_000)
    assert traits(*first, *then, *again, until=330)["planning-ahead"].present


def test_a_preference_the_person_confirmed_is_not_dissolved_by_inference() -> None:
    planning, spontaneous = ("plans-ahead", "uses-checklists"), ("follows-gut-feeling", "buys-on-a-whim")
    pieces = [seen(100 * place + n, 3 * n, key=key) for place, key in enumerate(planning) for n in range(6)]
    pieces += [
        seen(1_000 + 100 * place + n, 100 + 3 * n, key=key) for place, key in enumerate(spontaneous) for n in range(12)
    ]
    assert traits(*pieces, until=140)["planning-ahead"].stage == "dissolved"
    confirmed = {"planning-ahead": Decision(confirmed_at=BEGAN + timedelta(days=30))}
    assert traits(*pieces, until=140, decisions=confirmed)["planning-ahead"].present


def test_nothing_rests_on_what_the_person_says_is_not_so() -> None:
    keys = ("plans-ahead", "uses-checklists")
    pieces = [seen(100 * place + n, 3 * n, key=key) for place, key in enumerate(keys) for n in range(1, 16)]
    assert traits(*pieces, until=50)["planning-ahead"].present
    denied = seen(999, 48, key="plans-ahead", form="stated", shows=False)
    found = traits(*pieces, denied, until=50)
    assert found["plans-ahead"].overruled
    assert found["planning-ahead"].stage == "dissolved"
    again = seen(1_000, 49, key="plans-ahead", form="stated")
    assert traits(*pieces, denied, again, until=50)["planning-ahead"].present


def test_what_is_left_out_becomes_no_trait_and_still_speaks_against_its_opposite() -> None:
    told = [seen(n, 3 * n) for n in range(1, 7)]
    against = seen(9, 20, key=OPPOSITE)
    for left_out in (KEY, OPPOSITE):
        found = traits(*told, against, until=20, left_out=frozenset({left_out}))
        assert left_out not in found
    assert traits(*told, against, until=20, left_out=frozenset({OPPOSITE}))[KEY].contradictions == 1


def test_what_the_person_says_beats_what_is_inferred() -> None:
    told = [seen(n, 3 * n) for n in range(1, 7)]
    said = seen(9, 20, key=OPPOSITE, form="stated")
    assert traits(*told, said, until=20)[KEY].overruled
    assert not traits(*told, said, seen(10, 22, form="stated"), until=22)[KEY].overruled


def test_what_is_confirmed_does_not_decay() -> None:
    pieces = [seen(n, 3 * n) for n in range(1, 4)]
    decided = {KEY: Decision(confirmed_at=BEGAN + timedelta(days=10))}
    found = traits(*pieces, until=300, decisions=decided)[KEY]
    assert found.confidence == pytest.approx(0.4 + 0.6 * 0.2, abs=0.01)


def test_being_used_adds_a_little_once_a_reflection() -> None:
    pieces = [seen(n, 3 * n) for n in range(1, 4)]
    used = {KEY: frozenset({ident(20_010)})}
    plain, recalled = traits(*pieces, until=12)[KEY], traits(*pieces, until=12, recalled=used)[KEY]
    assert recalled.base == pytest.approx(plain.base + 0.02)  # type: ignore[operator]
    assert (recalled.last_reinforced, recalled.reinforcements) == (plain.last_reinforced, plain.reinforcements)


SOME = st.lists(
    st.builds(
        seen,
        number=st.integers(1, 5_000),
        day=st.integers(0, 180),
        key=st.sampled_from([KEY, KEY, OPPOSITE, OPPOSITE, "plans-ahead", "uses-checklists", "cooks-at-home"]),
        chat=st.integers(0, 30),
        context=st.sampled_from(["work", "personal", "social", "general"]),
        form=st.sampled_from(["told", "stated", "signal"]),
        shows=st.sampled_from([True, True, True, False]),
        sure=st.sampled_from([0.4, 0.7, 1.0]),
    ),
    max_size=40,
    unique_by=lambda one: one.id,
)


@given(pieces=SOME, data=st.data())
def test_the_order_of_evidence_does_not_matter(pieces: list[Observation], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(pieces))
    assert traits(*pieces, until=200) == traits(*shuffled, until=200)


@given(pieces=SOME)
def test_confidence_stays_between_zero_and_one(pieces: list[Observation]) -> None:
    for trait in traits(*pieces, until=200).values():
        assert trait.confidence is None or 0 <= trait.confidence <= 1
        assert trait.stage != "trend" or trait.window is not None


@given(pieces=SOME)
def test_every_trait_present_rests_on_three_pieces_of_two_conversations(pieces: list[Observation]) -> None:
    by_id = {one.id: one for one in pieces}
    for trait in traits(*pieces, until=200).values():
        if trait.present and trait.subtype == "behavior":
            evidence = [by_id[one] for one, _ in trait.supporting]
            assert len(evidence) >= 3
            assert len({one.occasion for one in evidence}) >= 2
