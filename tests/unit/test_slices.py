"""Which slices each route is given (FC-04, FC-06), and what is never arranged for a person (FC-07)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.contexts.rules.fields import FIELDS, held, reduced_language, rewritten
from shared.contexts.rules.personalization import advisors_for, skills_for, task_types_for
from shared.contexts.rules.slices import ROUTES, SLICES, Known, Route, load
from shared.recall.prompts import count
from shared.runtime.policies import PACKAGED, policy_at

FINCLAW = PACKAGED.with_name("finclaw.yaml")
POLICY = policy_at(FINCLAW).slice_policy
ARRANGING = policy_at(FINCLAW).arrangements

MATRIX = {  # as the source draws it: ! required, ? optional, . never
    "snapshot": "!!!..?...",
    "thread_refresh": "!!!!!...?",
    "risk_challenge": "!.!.?....",
    "pre_execution": "!!!...??.",
    "evidence_audit": "!........",
    "narrative_mapper": "!!...?...",
    "event_impact_reader": "!!...?...",
}
FULL = Known(
    task=dict.fromkeys(FIELDS, "task") | {"language_preference": "zh"},
    thread={"research_style": "bullets"},
    titles=["SOL (asset)"],
    drifts=2,
)
EMPTY = Known()


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("slice_", SLICES)
def test_a_route_is_given_exactly_its_slices(route: Route, slice_: str) -> None:
    cell = MATRIX[route][SLICES.index(slice_)]  # type: ignore[arg-type]
    everything = load(route, FULL, POLICY, question="and my thread?", count=count)
    assert (slice_ in everything.values) == (cell in "!?")
    nothing = load(route, EMPTY, POLICY, question="", count=count)
    assert (slice_ in nothing.values) == (cell == "!" and slice_ in ("S1", "S2", "S3"))
    assert (slice_ in nothing.skipped_missing) == (cell == "!" and slice_ not in ("S1", "S2", "S3"))


def test_both_packaged_policies_have_the_sources_matrix() -> None:
    assert policy_at(PACKAGED).slice_policy == POLICY
    for route, row in MATRIX.items():
        wanted = POLICY.routes[route]  # type: ignore[index]
        assert [*wanted.required] == [name for name, cell in zip(SLICES, row, strict=True) if cell == "!"]
        assert [*wanted.optional] == [name for name, cell in zip(SLICES, row, strict=True) if cell == "?"]


def test_task_wins_over_thread_over_profile() -> None:
    known = Known(
        task={"research_depth": "quick"},
        thread={"research_depth": "standard", "risk_prompt_preference": "risk_first"},
        profile={"research_depth": "deep", "risk_prompt_preference": "balanced", "language_preference": "zh-CN"},
    )
    values = load("snapshot", known, POLICY, question="", count=count).values
    assert values == {"S1": "zh", "S2": "quick", "S3": "risk_first"}


def test_a_research_style_is_a_threads() -> None:
    profile = Known(profile={"research_style": "bullets"})
    assert "S5" not in load("risk_challenge", profile, POLICY, question="", count=count).values
    assert (
        "S5" not in load("risk_challenge", Known(task={"research_style": "x"}), POLICY, question="", count=count).values
    )
    thread = Known(thread={"research_style": "bullets"})
    assert load("risk_challenge", thread, POLICY, question="", count=count).values["S5"] == "bullets"


def test_what_consent_keeps_back_is_named_as_such() -> None:
    known = Known(blocked=frozenset({"research_style", "research_depth"}), blocked_titles=True)
    loaded = load("thread_refresh", known, POLICY, question="", count=count)
    assert loaded.blocked_by_consent == ("S2", "S5")
    assert loaded.skipped_missing == ("S4",)
    assert "S2" in loaded.defaulted
    assert load("snapshot", known, POLICY, question="my threads", count=count).blocked_by_consent == ("S2", "S6")


@given(st.text(max_size=3000), st.sampled_from(ROUTES))
def test_no_slice_is_larger_than_its_size_and_none_leaves_the_block(text: str, route: Route) -> None:
    known = replace(FULL, task=dict.fromkeys(FIELDS, text or "x") | {"language_preference": "en"}, titles=[text] * 5)
    loaded = load(route, known, POLICY, question="my thread", count=count)
    lines = loaded.block.splitlines()
    assert (lines[0], lines[-1]) == ("<user_context>", "</user_context>")
    assert len(lines) == 2 + len(loaded.values)
    for name, line in zip(loaded.values, lines[1:-1], strict=True):
        assert "<" not in line
        assert count(line + "\n") < POLICY.limits[name]
    assert loaded.tokens == count(loaded.block)


@pytest.mark.parametrize("phrase", ["my thread", "My Threads?", "和我的线程比较", "看看我的 thread"])
def test_my_thread_in_both_languages(phrase: str) -> None:
    assert "S6" in load("narrative_mapper", FULL, POLICY, question=phrase, count=count).values


def test_dummy_threads_are_nobodys() -> None:
    assert "S6" not in load("narrative_mapper", FULL, POLICY, question="dummy threads", count=count).values


# --- Where what is said may be kept


def test_positions_stay_with_the_task() -> None:
    said = dict.fromkeys(FIELDS, "x")
    assert set(held("task", said)) == set(FIELDS)
    assert set(held("thread", said)) == set(FIELDS) - {"time_horizon", "constraints"}
    financial = {"time_horizon", "constraints", "user_stated_position_context"}
    assert set(held("profile", said)) == set(FIELDS) - financial - {"research_style"}
    assert set(held("profile", said, explicit_prompt_shown=True)) == set(FIELDS) - {"research_style"}
    assert rewritten({"research_depth": "deep"}, {"research_depth": None, "language_preference": "en"}) == {
        "language_preference": "en"
    }
    assert [reduced_language(tag) for tag in ("zh-Hant-TW", "ZH_cn", "en-GB", "fr")] == ["zh", "zh", "en", "en"]


# --- Boundaries


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("risk", ["balanced", "counter_first", "risk_first", None, "unknown"])
def test_the_set_of_advisors_never_changes(route: Route, risk: str | None) -> None:
    found = advisors_for(route, risk, ARRANGING, POLICY)
    assert sorted(found) == sorted(advisors_for(route, None, ARRANGING, POLICY))
    if route == "pre_execution":
        assert found[0] == "pre_execution"


def test_advisors_are_ordered_as_the_source_says() -> None:
    orders = {risk: advisors_for("risk_challenge", risk, ARRANGING, POLICY) for risk in ARRANGING.advisors}
    assert orders == {
        "balanced": ["asset_research", "market_macro", "risk", "counter_thesis"],
        "counter_first": ["counter_thesis", "asset_research", "market_macro", "risk"],
        "risk_first": ["risk", "asset_research", "counter_thesis", "market_macro"],
    }
    for deaf in ("evidence_audit", "narrative_mapper", "event_impact_reader"):
        assert advisors_for(deaf, "risk_first", ARRANGING, POLICY) == orders["balanced"], "it may not load S3"  # type: ignore[arg-type]


def test_skills_are_the_same_ones_in_another_order() -> None:
    usual = skills_for("snapshot", [], ARRANGING, POLICY)
    assert sorted(skills_for("snapshot", ["event", "theme", "event"], ARRANGING, POLICY)) == sorted(usual)
    assert skills_for("snapshot", ["event"], ARRANGING, POLICY)[0] == "event_impact"
    for never in ("thread_refresh", "risk_challenge", "pre_execution", "evidence_audit"):
        assert skills_for(never, ["event"], ARRANGING, POLICY) == usual, "S6 is not for this route"
    assert task_types_for([]) == ["snapshot", "thread_refresh", "risk_challenge"]
    assert task_types_for(["evidence_audit", "evidence_audit", "snapshot"]) == [
        "evidence_audit", "snapshot", "thread_refresh",
    ]  # fmt: skip
