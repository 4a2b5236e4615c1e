"""What a language model proposes about a person: evidence for the catalogue, and nothing if it lies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.erasure.rebuild import rebuild_read_models
from shared.traits import catalogue
from shared.traits.catalogue import Entry
from shared.traits.rules.signals import MEASURED
from tests.support.backing import Backing
from tests.support.dumping import dump
from tests.support.restoring import answers, replay, restored, url
from tests.support.scripted_llm import ScriptedLlm, scripted_llm
from tests.support.traits import KEY, PIECES, show
from tests.support.workbench import Person, Workbench, test_settings, workbench

TRAITS = "/api/v1/memory/traits"
UNREAD = (
    "The second hotel wants forty more for the same bed, so no.",
    "Let me hear what the other garage would take for the brakes first.",
)
"""Show the behavior; whatever the bundled reader makes of them, the test leaves out."""
ASKED = {"pattern": KEY, "question": "I looked where it costs less"}


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with scripted_llm() as script:
        script.asks = [ASKED]
        yield script


@pytest.fixture
def bench(backing: Backing, database_url: str, llm: ScriptedLlm) -> Iterator[Workbench]:
    with workbench(test_settings(backing, database_url, llm_base_url=llm.base_url, llm_model="scripted")) as opened:
        yield opened


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person("ada")


@pytest.fixture(autouse=True)
def _nothing_else_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.learner.turn.read_habits", lambda _text, _readings: NOTHING)


class _Nothing:
    habits = refused = ()


NOTHING = _Nothing()


def say_apart(bench: Workbench, person: Person, *texts: str, **conversation: Any) -> list[str]:
    """Say each text in a conversation of its own; return the message ids."""
    said = [person.say(person.conversation(**conversation), (text, "Fine."))[0][0] for text in texts]
    bench.work()
    return said


def reflect(bench: Workbench, person: Person) -> None:
    person.post("/api/v1/memory/reflections", {"reason": "working_memory"}, status=202)
    bench.work()


def showing(*texts: str, **more: Any) -> Callable[[list[dict[str, Any]]], list[dict[str, Any]]]:
    """Return a model that says these texts show the behavior."""

    def shows(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        piece = {"pattern": KEY, "context": "general", **more}
        return [{"id": one["id"], **piece} for one in messages if one["text"] in texts]

    return shows


def observed(bench: Workbench) -> int:
    return bench.count("select count(*) from trait_observations")


def keys(person: Person) -> list[str]:
    return [one["trait_key"] for one in person.get(TRAITS)]


def test_what_it_finds_counts_beside_what_the_reader_is_sure_of(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    say_apart(bench, ada, *UNREAD)
    show(bench, ada, PIECES[:1])
    llm.shows = showing(*UNREAD)
    reflect(bench, ada)
    [trait] = [one for one in ada.get(TRAITS) if one["trait_key"] == KEY]
    why = ada.get(f"{TRAITS}/{trait['id']}/explanation")
    assert {one["quote"] for one in why["evidence"]} == {*UNREAD, PIECES[0]}


def test_its_answers_alone_make_no_trait(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    texts = [f"{text} {number}" for number in range(4) for text in UNREAD]
    say_apart(bench, ada, *texts)
    llm.shows = showing(*texts)
    reflect(bench, ada)
    assert observed(bench) == len(texts)
    assert keys(ada) == []


def test_a_question_finds_what_was_said_long_before(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    llm.asks = []
    [early] = say_apart(bench, ada, "I looked in four shops, and the cheapest one was round the corner.")
    reflect(bench, ada)
    llm.asks = [ASKED]
    say_apart(bench, ada, "What shall I cook tonight?")
    reflect(bench, ada)
    assert "I looked in four shops" in llm.prompts[-1]
    assert "I looked in four shops" not in llm.prompts[-2]
    assert early


@pytest.mark.parametrize(
    "lie",
    [
        {"id": 99},
        {"id": 0},
        {"id": -1},
        {"pattern": "is-secretly-ill"},
        {"pattern": "concise-communication"},
        {"context": "church"},
        {"shown": "contrary"},
        {"confidence": 2},
        {"sure": 1.0},
        {"statement": "Is often ill and votes for the wrong party"},
    ],
    ids=lambda lie: "-".join(f"{name}-{value}" for name, value in lie.items())[:30],
)
def test_a_model_that_lies_stores_nothing(bench: Workbench, ada: Person, llm: ScriptedLlm, lie: dict[str, Any]) -> None:
    say_apart(bench, ada, UNREAD[0])
    piece = {"id": 1, "pattern": KEY, "context": "general"}
    llm.shows = lambda _messages: [piece | lie]
    reflect(bench, ada)
    assert any('"id": 1' in prompt for prompt in llm.prompts), "the model was asked"
    assert observed(bench) == 0
    assert keys(ada) == []


@pytest.mark.parametrize("garbled", ["", "[]", "no", json.dumps({"questions": [{"pattern": KEY}]}), "{" * 5_000])
def test_an_answer_of_another_shape_leaves_the_reflection_as_it_is(
    bench: Workbench, ada: Person, llm: ScriptedLlm, garbled: str
) -> None:
    show(bench, ada)
    llm.garbled = garbled
    reflect(bench, ada)
    assert KEY in keys(ada)


def test_it_is_not_shown_what_may_not_be_inferred_from(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    say_apart(
        bench,
        ada,
        "Since my diagnosis of diabetes I compare the prices of insulin.",
        'She wrote: "I compare every price before I buy anything".',
        "Call me on +44 20 7946 0958 once you compared the prices.",
        "Don't remember this: I compare the prices of necklaces.",
        'The form says "password:" Tr0ub4dor3x and I always compare prices.',
    )
    reflect(bench, ada)
    shown = "\n".join(prompt for prompt in llm.prompts if "patterns of behavior" in prompt)
    assert "once you compared the prices" in shown
    for hidden in ("insulin", "before I buy anything", "7946", "necklaces", "Tr0ub4dor3x"):
        assert hidden not in shown


def test_nothing_is_asked_about_who_is_not_to_be_inferred(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    say_apart(bench, ada, *UNREAD)
    answer = bench.api.patch("/api/v1/memory/settings", json={"traits_enabled": False}, headers=ada.headers)
    assert answer.status_code == 200, answer.text
    with bench.database.begin() as tx:
        tx.run("update outbox set available_at = now() where kind = 'trait.reflect'")
    bench.work()
    assert not any("patterns of behavior" in prompt for prompt in llm.prompts)


def switched(bench: Workbench, person: Person, **switches: bool) -> None:
    answer = bench.api.patch("/api/v1/memory/settings", json=switches, headers=person.headers)
    assert answer.status_code == 200, answer.text


def asked_about(llm: ScriptedLlm, text: str) -> bool:
    return any(text in prompt for prompt in llm.prompts if "patterns of behavior" in prompt)


@pytest.mark.parametrize("switch", [{"traits_enabled": False}, {"privacy_mode_enabled": True}], ids=str)
def test_what_was_said_while_nothing_could_be_inferred_is_never_made_up_for(
    bench: Workbench, ada: Person, llm: ScriptedLlm, switch: dict[str, bool]
) -> None:
    switched(bench, ada, **switch)
    say_apart(bench, ada, UNREAD[0])
    switched(bench, ada, **{name: not value for name, value in switch.items()})
    say_apart(bench, ada, UNREAD[1])
    llm.shows = showing(*UNREAD)
    reflect(bench, ada)
    assert asked_about(llm, UNREAD[1])
    assert not asked_about(llm, UNREAD[0])
    assert observed(bench) == 1


def test_after_everything_inferred_was_forgotten_only_new_messages_count(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    say_apart(bench, ada, UNREAD[0])
    llm.shows = showing(*UNREAD)
    reflect(bench, ada)
    assert observed(bench) == 1
    ada.post("/api/v1/memory/traits/clear", {}, status=202)
    bench.work()
    llm.prompts.clear()
    say_apart(bench, ada, UNREAD[1])
    reflect(bench, ada)
    assert not asked_about(llm, UNREAD[0])
    assert observed(bench) == 1


def test_a_backup_from_before_it_was_inferred_does_not_have_it_inferred_again(
    bench: Workbench, ada: Person, llm: ScriptedLlm, tmp_path: Path
) -> None:
    say_apart(bench, ada, UNREAD[0])
    dump(url(bench), tmp_path / "backup")
    llm.shows = showing(*UNREAD)
    reflect(bench, ada)
    assert observed(bench) == 1
    ada.post("/api/v1/memory/traits/clear", {}, status=202)
    bench.work()
    restored(bench, tmp_path / "backup")
    assert replay(bench).exit_code == 0
    answers(bench, ada, 200)
    llm.prompts.clear()
    say_apart(bench, ada, UNREAD[1])
    reflect(bench, ada)
    assert asked_about(llm, UNREAD[1])
    assert not asked_about(llm, UNREAD[0])


def test_a_message_is_asked_about_once_and_again_only_if_the_model_was_away(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    llm.asks = []
    say_apart(bench, ada, UNREAD[0])
    llm.status = 503
    reflect(bench, ada)
    llm.status = 200
    llm.prompts.clear()
    reflect(bench, ada)
    assert asked_about(llm, UNREAD[0])
    llm.prompts.clear()
    reflect(bench, ada)
    assert not asked_about(llm, UNREAD[0])


def test_new_messages_are_judged_whatever_is_found_beside_them(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    llm.asks = []
    say_apart(bench, ada, *(f"I looked where shop number {n} was cheaper. " * 12 for n in range(12)))
    reflect(bench, ada)
    llm.asks = [ASKED]
    say_apart(bench, ada, UNREAD[0])
    llm.shows = showing(UNREAD[0])
    reflect(bench, ada)
    assert "I looked where shop number" in llm.prompts[-1]
    assert observed(bench) == 1


@pytest.mark.parametrize(
    "end", ["That is because of my diabetes.", "Please do not remember any of this."], ids=["reason", "refusal"]
)
def test_what_the_end_of_a_long_message_says_counts(bench: Workbench, ada: Person, llm: ScriptedLlm, end: str) -> None:
    say_apart(bench, ada, "I compared the price of every shelf in town. " * 50 + end)
    reflect(bench, ada)
    assert not asked_about(llm, "every shelf in town")


def test_who_closed_their_account_meanwhile_leaves_nothing(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    say_apart(bench, ada, UNREAD[0])

    def closing(_messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        ada.forget("user", close_account=True)
        bench.work_once(["erase.postgres"])
        return []

    llm.shows = closing
    reflect(bench, ada)
    bench.work()
    assert bench.count("select count(*) from trait_questions") == 0


def test_a_message_from_the_future_is_not_asked_about_and_hides_no_later_one(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    [early] = say_apart(bench, ada, UNREAD[0])
    with bench.database.begin() as tx:
        tx.run("update messages set recorded_at = now() + interval '1 year' where id::text = :id", id=early)
    reflect(bench, ada)
    say_apart(bench, ada, UNREAD[1])
    reflect(bench, ada)
    assert not asked_about(llm, UNREAD[0])
    assert asked_about(llm, UNREAD[1])


def test_behaviors_that_are_measured_are_not_asked_about(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    say_apart(bench, ada, UNREAD[0])
    reflect(bench, ada)
    assert asked_about(llm, KEY)
    assert not any(asked_about(llm, key) for key in MEASURED)


def test_a_session_the_reader_sees_nothing_in_is_reflected_on_too(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    llm.shows = showing(UNREAD[0])
    conversation = ada.conversation()
    ada.say(conversation, (UNREAD[0], "Fine."))
    bench.work()
    ada.post(f"/api/v1/conversations/{conversation}/session-end", {}, status=200)
    bench.work()
    assert observed(bench) == 1


def test_what_is_forgotten_while_it_answers_shows_nothing(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    [message] = say_apart(bench, ada, UNREAD[0])
    shows = showing(UNREAD[0])

    def forgetting(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        ada.forget("message", message_id=message)
        return shows(messages)

    llm.shows = forgetting
    reflect(bench, ada)
    assert any(UNREAD[0] in prompt for prompt in llm.prompts)
    assert bench.count("select count(*) from visible_trait_observations") == 0


def test_a_behavior_the_person_denied_is_not_asked_about(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    show(bench, ada)
    reflect(bench, ada)
    [trait] = [one for one in ada.get(TRAITS) if one["trait_key"] == KEY]
    assert bench.api.delete(f"{TRAITS}/{trait['id']}", headers=ada.headers).status_code == 202
    bench.work()
    llm.prompts.clear()
    say_apart(bench, ada, UNREAD[0])
    llm.shows = showing(UNREAD[0])
    reflect(bench, ada)
    asked = [prompt for prompt in llm.prompts if "patterns of behavior" in prompt]
    assert asked
    assert not any(KEY in prompt for prompt in asked)
    assert observed(bench) == 0


ADDED = Entry(
    key="sketches-first",
    subtype="behavior",
    en="Sketches before building",
    zh="动手前先画草图",
    parents=("planning-ahead",),
    opposite=None,
    evidence="Tells of drawing something before making it",
    added=True,
)
SKETCHED = ("I drew the shelf first.", "A sketch of the menu is on my desk.", "Let me draw the garden before I dig.")


def sees_sketches(llm: ScriptedLlm) -> None:
    llm.asks = [{"pattern": ADDED.key, "question": "I made a drawing first"}]
    llm.shows = showing(*SKETCHED, pattern=ADDED.key)


@pytest.fixture
def _added() -> Iterator[None]:
    catalogue.extend([ADDED])
    yield
    catalogue.extend([])


@pytest.mark.usefixtures("_added")
def test_a_behavior_the_deployment_added_is_found_in_three_conversations(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    sees_sketches(llm)
    say_apart(bench, ada, *SKETCHED[:2])
    reflect(bench, ada)
    assert "emerging" not in [one["trait_stage"] for one in ada.get(TRAITS)]
    say_apart(bench, ada, SKETCHED[2])
    reflect(bench, ada)
    [trait] = ada.get(TRAITS)
    assert (trait["trait_key"], trait["content"], trait["trait_stage"]) == (ADDED.key, ADDED.en, "emerging")


@pytest.mark.usefixtures("_added")
def test_a_trait_the_deployment_no_longer_adds_survives_a_rebuild(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    sees_sketches(llm)
    say_apart(bench, ada, *SKETCHED)
    reflect(bench, ada)
    before = ada.get(TRAITS)
    catalogue.extend([])
    with bench.database.begin() as tx:
        rebuild_read_models(tx)
    [trait] = ada.get(TRAITS)
    assert (trait["id"], trait["content"]) == (before[0]["id"], ADDED.en)
    assert trait["wordings"] is None


@pytest.mark.usefixtures("_added")
def test_what_a_deployment_no_longer_knows_is_no_trait_any_more(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    sees_sketches(llm)
    say_apart(bench, ada, *SKETCHED)
    reflect(bench, ada)
    [trait] = ada.get(TRAITS)
    catalogue.extend([])
    assert ada.get(f"{TRAITS}/{trait['id']}/explanation")["evidence"]
    assert bench.api.delete(f"{TRAITS}/{trait['id']}", headers=ada.headers).status_code == 202
    bench.work()
    reflect(bench, ada)
    assert ada.get(TRAITS) == []
    assert observed(bench) == 0


def test_a_model_that_is_away_changes_nothing(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    show(bench, ada)
    llm.status = 503
    reflect(bench, ada)
    assert KEY in keys(ada)


def test_a_model_is_asked_at_once_when_much_of_importance_was_learned(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    llm.asks = []
    conversation = ada.conversation()
    foods = ("peanuts", "shellfish", "sesame", "kiwi", "soy", "eggs", "celery", "mustard", "lupin", "wheat")
    ada.say(conversation, (UNREAD[0], "Fine."), ("I'm allergic to milk.", "Noted."))
    bench.work()
    assert not asked_about(llm, UNREAD[0]), "the session goes on"
    ada.say(conversation, *[(f"I'm allergic to {food}.", "Noted.") for food in foods])
    bench.work()
    assert asked_about(llm, UNREAD[0])
