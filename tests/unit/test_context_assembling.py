"""What an assistant is given: whatever the state, the order is total, the budget holds, and nothing stable varies."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.consent.rules.switches import Switches
from shared.language.script import Language, language_of
from shared.recall import prompts
from shared.recall.prompts import Prompt
from shared.recall.prompts.blocks import block
from shared.recall.rules.assembling import Bounds, Context, assemble
from shared.recall.rules.fitting import STABLE_SHARE
from shared.recall.rules.items import Candidate, Group, Layer, LeftOut, Provenance, Retrieved, Why
from shared.recall.rules.order import arranged, place_of
from shared.recall.rules.selection import in_scope, why_not, why_stable
from shared.recall.rules.state import Moment, Rival, State, VisibleMemory
from tests.support.contexts import PROJECT, START, findings, listing, states
from tests.support.depth import examples

MANY = settings(max_examples=examples(40), deadline=None)
LAYERS: list[Layer] = ["stable", "retrieved", "immediate"]
CITED = re.compile(
    r"\[Memory#([0-9a-f-]{36})\] \(session [^,]+, (?:turn|messages) [^,]+, \d{4}-\d\d-\d\d(?:, task: .+)?\)"
)


def made(state: State, retrieved: Retrieved, budget: int = 100_000, **more: object) -> Context:
    return assemble(state, retrieved, Bounds(budget=budget, **more), measure=prompts.tokens_of)  # type: ignore[arg-type]


def rendered(state: State, retrieved: Retrieved, budget: int = 100_000, language: Language = "en") -> Prompt:
    return prompts.render(made(state, retrieved, budget - prompts.skeleton_tokens()), language)


def memory(number: int = 1, **more: object) -> VisibleMemory:
    usual: dict[str, object] = {
        "id": UUID(int=number),
        "text": f"text {number}",
        "content_type": "preference",
        "scope": "global",
        "project_id": None,
        "origin": "stated",
        "taboo": False,
        "confirmed": False,
        "paused": False,
        "archived": False,
        "superseded": False,
        "task_hint": None,
        "said_at": START,
        "updated_at": START,
        "provenance": Provenance(at=START),
    }
    return VisibleMemory(**usual | more)  # type: ignore[arg-type]


def found(*memories: VisibleMemory, semantic: bool = True, **totals: float) -> tuple[State, Retrieved]:
    candidates = [
        Candidate(kind="memory", id=one.id, scores={"semantic": totals.get(f"n{one.id.int}", 0.5)}, total=0.5)
        for one in memories
    ]
    candidates = [replace(one, total=one.scores["semantic"] if semantic else None) for one in candidates]
    state = State(switches=Switches(), project_id=PROJECT, found=memories)
    return state, Retrieved(candidates=tuple(candidates), semantic=semantic)


@MANY
@given(data=st.data(), state=states(), language=st.sampled_from(["en", "zh"]), budget=st.integers(250, 1500))
def test_the_same_state_gives_the_same_bytes_in_whatever_order_it_was_read(
    data: st.DataObject, state: State, language: Language, budget: int
) -> None:
    retrieved = data.draw(findings(state))
    shuffled = replace(
        state,
        stable=tuple(data.draw(st.permutations(state.stable))),
        found=tuple(data.draw(st.permutations(state.found))),
        moments=tuple(data.draw(st.permutations(state.moments))),
    )
    again = replace(retrieved, candidates=tuple(data.draw(st.permutations(retrieved.candidates))))

    assert made(shuffled, again, budget) == made(state, retrieved, budget)
    assert rendered(shuffled, again, budget, language) == rendered(state, retrieved, budget, language)


@MANY
@given(data=st.data(), state=states())
def test_the_order_is_total_and_goes_by_groups(data: st.DataObject, state: State) -> None:
    context = made(state, data.draw(findings(state)))
    places = [place_of(item, context.mode) for item in context.items]

    assert places == sorted(set(places))
    groups = [item.group for item in (*context.items, *context.window)]
    assert groups == sorted(groups)
    assert [item.id for item in context.window] == [one.id for one in state.window]


@MANY
@given(data=st.data(), state=states())
def test_everything_offered_is_given_or_left_out_once(data: st.DataObject, state: State) -> None:
    retrieved = data.draw(findings(state))
    budget = data.draw(st.integers(0, 400))
    context = made(state, retrieved, budget)
    told = [one.id for one in (*context.items, *context.window, *context.left_out)]

    named = {one.id for one in retrieved.candidates}
    offered = {one.id for one in state.stable if why_stable(one) and in_scope(one, state.project_id)}
    offered |= {one.id for one in state.found if one.id in named and in_scope(one, state.project_id)}
    offered |= {one.id for one in state.moments if one.id in named}
    offered |= {one.id for one in state.window} | ({state.summary.id} if state.summary else set())
    offered |= {one.id for one in state.listed}  # nothing that was learned is silently absent
    assert len(told) == len(set(told))
    assert set(told) == offered
    budgeted = {one.id for one in context.left_out if one.why == "budget"}
    assert not {one.id for one in state.stable if one.taboo} & budgeted, "safety always stays"


@MANY
@given(data=st.data(), state=states(), language=st.sampled_from(["en", "zh"]), budget=st.integers(200, 1500))
def test_the_prompt_keeps_its_budget_unless_safety_alone_is_more(
    data: st.DataObject, state: State, language: Language, budget: int
) -> None:
    retrieved = data.draw(findings(state))
    prompt = rendered(state, retrieved, budget, language)
    context = made(state, retrieved, budget - prompts.skeleton_tokens())

    only_safety = all(item.group is Group.SAFETY for item in context.items) and not context.window
    assert prompt.tokens <= budget or only_safety
    assert prompt.tokens == prompts.count(prompt.text)


@MANY
@given(data=st.data(), state=states(), budget=st.integers(200, 800))
def test_what_was_found_changes_nothing_that_is_stable(data: st.DataObject, state: State, budget: int) -> None:
    one, other = (
        rendered(state, data.draw(findings(state)), budget, data.draw(st.sampled_from(["en", "zh"]))) for _ in range(2)
    )
    elsewhere = rendered(replace(state, window=(), summary=None, moments=()), Retrieved(), budget)

    assert one.stable_prefix_hash == other.stable_prefix_hash == elsewhere.stable_prefix_hash
    size = one.stable_prefix_bytes
    assert one.text.encode()[:size] == other.text.encode()[:size] == elsewhere.text.encode()[:size]


def test_a_thousand_questions_leave_the_stable_prefix_as_it_is() -> None:
    """The pure half of it: whatever a question makes a search find, in whatever language it is asked."""
    seeded = random.Random(7)
    stable = tuple(memory(number, taboo=number % 3 == 0) for number in range(1, 20))
    others = tuple(memory(number, content_type="fact", origin="extracted") for number in range(100, 160))
    hashes = set()
    texts = set()
    for number in range(1_000):
        question = f"question {number}?" if number % 2 else f"第{number}个问题？"
        hits = seeded.sample([*stable, *others], 20)
        _, retrieved = found(*hits, **{f"n{one.id.int}": seeded.random() for one in hits})
        state = State(switches=Switches(), stable=tuple(seeded.sample(stable, len(stable))), found=tuple(hits))
        prompt = rendered(state, retrieved, 3_000, language_of(question))
        hashes.add(prompt.stable_prefix_hash)
        texts.add(prompt.text)
    assert len(hashes) == 1
    assert len(texts) > 900, "the rest does depend on the question"


@MANY
@given(data=st.data(), state=states())
def test_without_injection_there_is_the_live_window_and_the_template_as_it_was(
    data: st.DataObject, state: State
) -> None:
    off = replace(state, switches=replace(state.switches, injection_enabled=False))
    context = made(off, data.draw(findings(state)))

    assert context.items == ()
    assert [item.id for item in context.window] == [one.id for one in state.window]
    nothing = State(switches=Switches(), window=state.window)
    assert prompts.render(context, "zh").text == rendered(nothing, Retrieved(), language="zh").text
    assert {one.why for one in context.left_out} <= {"switched_off"}


@MANY
@given(data=st.data(), state=states())
def test_of_what_contradicts_each_other_only_one_is_given(data: st.DataObject, state: State) -> None:
    """But a safety matter is given beside what may contradict it, until the person confirms that."""
    context = made(state, data.draw(findings(state)))
    shown = {item.id for item in context.items}
    memories = {memory.id: memory for memory in (*state.stable, *state.found) if memory.id in shown}
    for one in memories.values():
        for rival in (memories[rival.id] for rival in one.rivals if rival.id in shown):
            weaker, stronger = sorted((one, rival), key=lambda memory: (memory.confirmed, memory.said_at, memory.id))
            assert weaker.taboo
            assert not stronger.confirmed


@MANY
@given(data=st.data(), state=states(), layers=st.sets(st.sampled_from(LAYERS), min_size=1))
def test_a_layer_nobody_wants_is_neither_given_nor_left_out(
    data: st.DataObject, state: State, layers: set[Layer]
) -> None:
    retrieved = data.draw(findings(state))
    some, every = made(state, retrieved, layers=frozenset(layers)), made(state, retrieved)

    assert [one for one in every.items if one.group.layer in layers and one.kind != "episode"] == [
        one for one in some.items if one.kind != "episode"
    ]
    assert bool(some.window) == ("immediate" in layers and bool(state.window))
    if layers == {"immediate"}:
        assert {one.kind for one in some.left_out} <= {"summary"}


@MANY
@given(data=st.data(), state=states(), language=st.sampled_from(["en", "zh"]))
def test_nothing_that_was_said_can_pass_for_a_line_of_the_template(
    data: st.DataObject, state: State, language: Language
) -> None:
    retrieved = data.draw(findings(state))
    context = made(state, retrieved)
    template = set(rendered(State(switches=Switches()), Retrieved(), language=language).text.splitlines())

    lines = prompts.render(context, language).text.splitlines()

    opened = [line for line in lines if not line.startswith("  ") and line not in template]
    cited = [match for line in opened if (match := CITED.match(line))]
    assert [match[1] for match in cited] == [str(item.id) for item in context.items]
    spoken = opened[len(cited) :]
    assert len(spoken) == len(context.window)
    for line, item in zip(spoken, context.window, strict=True):
        assert line.startswith((f"{item.type}: ", f"{item.type} ("))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"origin": "stated"}, "stated"),
        ({"origin": "learned"}, "learned"),
        ({"origin": "extracted"}, "extracted"),
        ({"origin": "imported"}, "extracted"),
        ({"origin": "extracted", "confirmed": True}, "confirmed"),
        ({"content_type": "constraint"}, "stated"),
        ({"content_type": "fact"}, None),
        ({"content_type": "fact", "confirmed": True}, None),
        ({"content_type": "note", "taboo": True, "origin": "extracted"}, "safety"),
    ],
)
def test_what_is_stable_is_safety_and_what_is_sure_of_preferences(more: dict[str, object], why: Why | None) -> None:
    assert why_stable(memory(**more)) == why
    kept = why if why in ("safety", "confirmed") else None
    assert why_stable(memory(**more), confirmed_only=True) == kept


def test_the_fixed_order_is_project_then_type_then_newest_then_id() -> None:
    later = START + timedelta(hours=1)
    expected = [
        memory(9, content_type="preference", origin="extracted", scope="project", project_id=PROJECT),
        memory(8, content_type="fact", scope="project", project_id=PROJECT),
        memory(7, content_type="preference", origin="extracted"),
        memory(6, content_type="fact", updated_at=later),
        memory(4, content_type="fact"),
        memory(5, content_type="fact"),
        memory(3, content_type="note"),
        memory(2, content_type="brand_new", updated_at=later),
        memory(1, content_type="constraint", origin="extracted"),
    ]
    state, retrieved = found(*reversed(expected), semantic=False)

    assert [item.id for item in made(state, retrieved).items] == [one.id for one in expected]


def test_what_was_found_by_meaning_stands_by_score_and_then_in_the_fixed_order() -> None:
    facts = [memory(number, content_type="fact") for number in range(1, 5)]
    state, retrieved = found(*facts, n1=0.2, n2=0.70001, n3=0.70002, n4=0.9)

    context = made(state, retrieved)

    assert [item.id.int for item in context.items] == [4, 2, 3, 1]
    assert arranged(reversed(context.items), "semantic") == list(context.items)


def test_what_was_superseded_is_hidden_or_given_and_marked_as_asked() -> None:
    state, retrieved = found(memory(1, superseded=True), memory(2), memory(3, superseded=True, taboo=True))
    state = replace(state, stable=state.found[2:])
    hidden, labelled = made(state, retrieved), made(state, retrieved, superseded="label")

    assert [item.id.int for item in hidden.items] == [2]
    assert {one.id.int: one.why for one in hidden.left_out} == {1: "superseded", 3: "superseded"}
    assert {item.id.int: item.superseded for item in labelled.items} == {1: True, 2: False, 3: True}
    assert {item.group for item in labelled.items if item.superseded} == {Group.MEMORIES}
    assert labelled.left_out == ()
    for item in labelled.items:
        assert ("superseded: no longer so" in block(item)) == item.superseded


def test_an_episode_contains_only_the_messages_found_and_cites_the_best_first() -> None:
    ids = tuple(UUID(int=number) for number in range(1, 4))
    moment = Moment(
        id=UUID(int=9),
        said={one: f"user: tea {one.int}" for one in ids},
        provenance=Provenance(at=START, turn=1, message_ids=ids),
    )
    candidate = Candidate(
        kind="episode",
        id=moment.id,
        scores={"lexical": 0.30004, "name": 0.30001},
        total=0.60005,
        cited=(ids[2], UUID(int=77), ids[1]),
    )
    state = State(switches=Switches(), moments=(moment,))

    [item] = made(state, Retrieved(candidates=(candidate,), semantic=True)).items

    assert item.provenance.message_ids == (ids[2], ids[1])
    assert item.content == "user: tea 2\nuser: tea 3"
    assert (item.why, item.total, item.scores) == ("lexical", round(0.60005, 4), {"lexical": 0.3, "name": 0.3})


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"superseded": True, "paused": True}, "superseded"),
        ({"paused": True, "archived": True}, "paused"),
        ({"archived": True}, "archived"),
        ({}, None),
    ],
)
def test_a_memory_is_refused_for_the_first_reason_that_holds(more: dict[str, object], why: str | None) -> None:
    refused = why_not(memory(**more), Switches())
    assert refused == ((why, None) if why else None)
    assert why_not(memory(**more), Switches(longterm_enabled=False)) == ("switched_off", None)


@pytest.mark.parametrize(
    ("confirmed", "rival_confirmed", "rival_is_newer", "wins"),
    [
        (False, False, True, False),
        (False, False, False, True),
        (True, False, True, True),
        (False, True, False, False),
        (True, True, True, False),
    ],
)
def test_of_two_that_contradict_the_confirmed_one_holds_else_the_newer(
    confirmed: bool, rival_confirmed: bool, rival_is_newer: bool, wins: bool
) -> None:
    said_at = START + timedelta(hours=1 if rival_is_newer else -1)
    rival = Rival(id=UUID(int=2), confirmed=rival_confirmed, said_at=said_at)

    assert why_not(memory(confirmed=confirmed, rivals=(rival,)), Switches()) == (
        None if wins else ("conflict", rival.id)
    )


@pytest.mark.parametrize("confirmed", [False, True])
def test_a_safety_matter_is_given_until_what_contradicts_it_is_confirmed(confirmed: bool) -> None:
    rival = Rival(id=UUID(int=2), confirmed=confirmed, said_at=START + timedelta(hours=1))
    found = why_not(memory(taboo=True, rivals=(rival,)), Switches())
    assert found == (("conflict", rival.id) if confirmed else None)


@pytest.mark.parametrize(("confirmed_only", "given_ids"), [(False, [1]), (True, [])])
def test_what_is_stable_needs_no_question(confirmed_only: bool, given_ids: list[int]) -> None:
    state = State(switches=Switches(), stable=(memory(1),))

    assert [item.id.int for item in made(state, Retrieved(), confirmed_only=confirmed_only).items] == given_ids


def test_preferences_and_constraints_compete_for_their_share_the_surest_first() -> None:
    ranked = [
        memory(1, confirmed=True, origin="extracted", importance=1),
        memory(2, importance=9),
        memory(3, content_type="constraint", importance=5),
        memory(4, importance=5, said_at=START - timedelta(days=1)),
        memory(5, origin="learned", importance=9),
        memory(6, origin="extracted", importance=9),
        memory(7, origin="imported", importance=2),
    ]
    tokens = prompts.tokens_of(made(State(switches=Switches(), stable=(ranked[0],)), Retrieved()).items[0])
    for room in range(len(ranked) + 1):
        budget = int(tokens * room / STABLE_SHARE) + 1
        context = made(State(switches=Switches(), stable=tuple(reversed(ranked))), Retrieved(), budget)
        assert {item.id for item in context.items} == {one.id for one in ranked[:room]}
        assert {one.id for one in context.left_out} == {one.id for one in ranked[room:]}
        assert {one.why for one in context.left_out} <= {"budget"}


@MANY
@given(data=st.data(), state=states(), budget=st.integers(0, 1500))
def test_preferences_leave_room_for_the_question(data: st.DataObject, state: State, budget: int) -> None:
    context = made(state, data.draw(findings(state)), budget)
    stable = [item for item in context.items if item.group is Group.PREFERENCES]
    assert sum(map(prompts.tokens_of, stable)) <= STABLE_SHARE * budget


def test_a_preference_without_room_in_its_share_is_found_like_anything_else() -> None:
    stable = tuple(memory(number, text="word " * 30) for number in range(1, 4))
    tokens = prompts.tokens_of(made(State(switches=Switches(), stable=stable[:1]), Retrieved()).items[0])
    _, retrieved = found(stable[2])
    state = State(switches=Switches(), stable=stable, found=(stable[2],))

    context = made(state, retrieved, int(tokens / STABLE_SHARE) + 1)

    assert [(item.id.int, item.group, item.why) for item in context.items] == [
        (1, Group.PREFERENCES, "stated"),
        (3, Group.MEMORIES, "semantic"),
    ]
    assert [(one.id.int, one.why) for one in context.left_out] == [(2, "budget")]


@pytest.mark.parametrize(
    ("more", "semantic", "why"),
    [
        ({}, True, "not_related"),
        ({}, False, "limit"),
        ({"paused": True}, True, "paused"),
        ({"archived": True}, True, "archived"),
        ({"scope": "project", "project_id": "gemini"}, True, "other_project"),
        ({"scope": "project", "project_id": PROJECT}, True, "not_related"),
        ({"content_type": "preference"}, True, "budget"),
    ],
)
def test_what_nobody_looked_at_is_told_with_its_reason(more: dict[str, object], semantic: bool, why: str) -> None:
    one = listing(memory(**({"content_type": "fact"} | more)))
    state = State(switches=Switches(), project_id=PROJECT, listed=(one,))
    retrieved = Retrieved(semantic=semantic)
    [told] = made(state, retrieved).left_out
    assert told == LeftOut(id=one.id, kind="memory", type=one.content_type, why=why)  # type: ignore[arg-type]
    off = made(replace(state, switches=Switches(longterm_enabled=False)), retrieved)
    assert [one.why for one in off.left_out] == ["switched_off"]


@pytest.mark.parametrize("semantic", [True, False])
def test_what_is_given_anyway_takes_no_place_of_what_was_found(semantic: bool) -> None:
    """Without a search the person's preferences come first in the fixed order: 25 of them left no room for a fact."""
    preferences = tuple(memory(number) for number in range(1, 26))
    paused = memory(30, content_type="fact", paused=True)
    facts = [memory(number, content_type="fact", updated_at=START - timedelta(days=number)) for number in (31, 32, 33)]
    state, retrieved = found(*preferences, paused, *facts, semantic=semantic, n31=0.9, n32=0.8, n33=0.7)
    if not semantic:
        retrieved = Retrieved(semantic=False)

    context = made(replace(state, stable=preferences), retrieved, limit=2)

    assert {item.id.int for item in context.items} == {*range(1, 26), 31, 32}
    assert {one.id.int: one.why for one in context.left_out} == {30: "paused", 33: "limit"}


def test_the_limit_is_one_for_memories_and_episodes_and_the_best_are_given() -> None:
    facts = [memory(number, content_type="fact") for number in (1, 2)]
    state, retrieved = found(*facts, n1=0.9, n2=0.1)
    moments = tuple(
        Moment(id=UUID(int=number), said={UUID(int=90 + number): "user: tea"}, provenance=Provenance(at=START, turn=1))
        for number in (8, 9)
    )
    said = [
        Candidate(kind="episode", id=one.id, scores={"lexical": total}, total=total)
        for one, total in zip(moments, (0.5, 0.2), strict=True)
    ]
    both = replace(retrieved, candidates=(*said, *retrieved.candidates))

    context = made(replace(state, moments=moments), both, limit=2)

    assert [item.id.int for item in context.items] == [1, 8]
    assert {one.id.int: one.why for one in context.left_out} == {2: "limit", 9: "limit"}


def test_without_meaning_words_come_before_the_fixed_order() -> None:
    named = memory(2, content_type="note", updated_at=START - timedelta(days=90))
    state, _ = found(memory(1, content_type="fact"), named, memory(3, content_type="fact"))
    by_words = Retrieved(candidates=(Candidate(kind="memory", id=named.id, scores={"lexical": 0.4}, total=0.4),))

    context = made(state, by_words, limit=2)

    assert [item.id.int for item in context.items] == [1, 2]


@MANY
@given(data=st.data(), state=states(), budget=st.integers(0, 1500), beside=st.integers(0, 2000))
def test_what_else_the_prompt_contains_changes_nothing_that_is_stable(
    data: st.DataObject, state: State, budget: int, beside: int
) -> None:
    """A model's cache of the prefix lasts while a task's slices come and go (CN-07)."""
    retrieved = data.draw(findings(state))
    contexts = [made(state, retrieved, budget), made(state, retrieved, budget, beside=beside)]
    stable, beside_it = ([item for item in one.items if item.group.layer == "stable"] for one in contexts)
    assert stable == beside_it


def test_of_two_as_good_the_consolidated_one_comes_first() -> None:
    facts = [memory(number, content_type="fact", level=level) for number, level in ((1, "L1"), (2, "L2"))]
    state, retrieved = found(*facts)
    assert [item.id.int for item in made(state, retrieved).items] == [2, 1]


def test_the_window_ends_before_the_first_message_that_does_not_fit() -> None:
    from tests.unit.test_context_prompts import utterance

    window = tuple(utterance(seq, text) for seq, text in enumerate(["one", "word " * 500, "three", "four"]))

    context = made(State(switches=Switches(), window=window), Retrieved(), 100)

    assert [item.content for item in context.window] == ["three", "four"]
    assert [one.id for one in context.left_out] == [window[0].id, window[1].id]
