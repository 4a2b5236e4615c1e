"""What counts as evidence beside messages: memories a person wrote or confirmed, feelings, what is measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from shared.consent.rules.policy import Terms
from shared.kernel import subjects
from shared.kernel.database_errors import DatabaseUnavailable
from shared.kernel.emotions import Emotion
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.language.habits import HabitsRead
from shared.language.port import Habit
from shared.lineage.sql import lineage
from shared.lineage.sql.lineage import Derivation
from shared.traits import catalogue
from shared.traits.catalogue import Entry
from shared.traits.observe import observe, observe_conversation
from shared.traits.queries import portraits
from shared.traits.sql import emotions, notes, observations
from shared.traits.sql.observations import Shown, Source
from tests.support.seeding import a_memory
from tests.support.traits import BEGAN, KEY, PIECES, SENTENCE, compares_prices, reflected, show
from tests.support.workbench import Person, Workbench

TRAITS = "/api/v1/memory/traits"
LONG_TERM = "/api/v1/memory/long_term"
OPPOSITE = "buys-on-a-whim"
SAID = "I buy what I like the moment I see it."
LEARNED = "I live in Oslo."


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return compares_prices(bench)


@pytest.fixture
def _reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let notes that say this show the opposite, whatever the bundled reader makes of them, and nothing else."""

    def read(text: str, _readings: object) -> HabitsRead:
        return HabitsRead(habits=(Habit(OPPOSITE, 0.9, "told", "personal"),) if text in (SAID, LEARNED) else ())

    monkeypatch.setattr("workers.reflector.tasks.read_habits", read)
    monkeypatch.setattr("workers.learner.turn.read_habits", lambda _text, _readings: HabitsRead())


def subject_of(bench: Workbench, person: Person) -> Subject:
    with bench.database.begin() as tx:
        found = subjects.find(tx, person.user_id)
    assert found is not None
    return found


def trait_of(person: Person, key: str = KEY) -> dict[str, Any]:
    [found] = [one for one in person.get(TRAITS) if one["trait_key"] == key]
    return dict(found)


@pytest.mark.usefixtures("_reader")
def test_a_memory_written_by_hand_speaks_against_a_trait(bench: Workbench, ada: Person) -> None:
    assert trait_of(ada)["used"]
    memory = ada.post(LONG_TERM, {"content": SAID, "content_type": "preference"})
    bench.work()
    trait = trait_of(ada)
    assert not trait["used"], "what a person says beats what is inferred"
    assert trait["evidence"]["contradicting"] == [{"id": memory["id"], "quality": None}]
    why = ada.get(f"{TRAITS}/{trait['id']}/explanation")["evidence"]
    [piece] = [one for one in why if one["side"] == "contradicting"]
    assert (piece["source_kind"], piece["form"], piece["quote"]) == ("memory", "stated", SAID)
    bench.api.delete(f"{LONG_TERM}/{memory['id']}", headers=ada.headers)
    assert trait_of(ada)["used"], "forgotten, it speaks against nothing"
    bench.work()
    assert bench.holds(SAID) == []


@pytest.mark.usefixtures("_reader")
def test_so_does_one_that_was_learned_once_the_person_confirms_it(bench: Workbench, ada: Person) -> None:
    body = {"content": SAID, "content_type": "preference", "user_id": ada.user_id}
    memory = bench.api.post(LONG_TERM, json=body, headers=bench.service).json()
    bench.work()
    reflected(bench, ada)
    assert trait_of(ada)["used"], "a service may have written the assistant's words"
    ada.post(f"{LONG_TERM}/confirm", {"memory_id": memory["id"]}, status=200)
    bench.work()
    assert not trait_of(ada)["used"]


def _against(person: Person) -> list[str]:
    return [one["id"] for one in trait_of(person)["evidence"]["contradicting"]]


@pytest.mark.usefixtures("_reader")
def test_what_a_person_put_right_no_longer_counts_and_what_they_moved_counts_once(
    bench: Workbench, ada: Person
) -> None:
    memory = ada.post(LONG_TERM, {"content": SAID, "content_type": "preference"})
    bench.work()
    moved = bench.api.patch(f"{LONG_TERM}/{memory['id']}", json={"importance": 9}, headers=ada.headers).json()
    bench.work()
    assert _against(ada) == [moved["id"]]
    right = {"content": "I look around before I buy."}
    assert bench.api.patch(f"{LONG_TERM}/{moved['id']}", json=right, headers=ada.headers).status_code == 200
    bench.work()
    assert _against(ada) == []
    assert trait_of(ada)["used"]


@pytest.mark.usefixtures("_reader")
def test_a_paused_memory_speaks_neither_for_nor_against(bench: Workbench, ada: Person) -> None:
    memory = ada.post(LONG_TERM, {"content": SAID, "content_type": "preference"})
    bench.work()
    assert _against(ada) == [memory["id"]]
    path = f"{LONG_TERM}/{memory['id']}"
    assert bench.api.patch(path, json={"disabled": True}, headers=ada.headers).status_code == 200
    bench.work()
    assert _against(ada) == []
    ada.post(f"{LONG_TERM}/change", {"act": "resume", "ids": [memory["id"]]}, status=200)
    bench.work()
    assert _against(ada) == [memory["id"]]


def _learned_from(bench: Workbench, person: Person, text: str) -> UUID:
    """Let a person say a sentence of which a memory is made, and confirm that one; return the message."""
    [(message, _)] = person.say(person.conversation(), (text, "Fine."))
    memory = a_memory(bench, person, text=SAID, sources=[message])
    bench.work()
    person.post(f"{LONG_TERM}/confirm", {"memory_id": str(memory)}, status=200)
    bench.work()
    return UUID(message)


@pytest.mark.usefixtures("_reader")
def test_a_message_and_the_memory_that_was_kept_of_it_count_once(bench: Workbench) -> None:
    eve = bench.person()
    message = _learned_from(bench, eve, SAID)
    source = Source(kind="message", id=message, conversation_id=None, at_seq=None, at=BEGAN)
    shown = Shown(id=new_id(), source=source, key=OPPOSITE, shows=True, form="told", context="general")
    with bench.database.begin() as tx:
        subject = subject_of(bench, eve)
        observe(tx, subject, [shown])
        assert [(one.key, one.form) for one in observations.visible(tx, subject)] == [(OPPOSITE, "stated")]


@pytest.mark.usefixtures("_reader")
def test_messages_that_repeat_a_memory_are_evidence_of_their_own(bench: Workbench) -> None:
    eve = bench.person()
    message = _learned_from(bench, eve, SAID)
    repeats = [UUID(eve.say(eve.conversation(), (f"{SAID} {n}", "Fine."))[0][0]) for n in range(2)]
    bench.work()
    with bench.database.begin() as tx:
        subject = subject_of(bench, eve)
        [made] = tx.rows("select derived_id from lineage where source_id = :id and derived_kind = 'memory'", id=message)
        for one in repeats:
            edge = Derivation(
                derived_kind="memory",
                derived_id=made["derived_id"],
                source_kind="message",
                source_id=one,
                edge="supported_by",
            )
            lineage.add(tx, subject, [edge])
            source = Source(kind="message", id=one, conversation_id=None, at_seq=None, at=BEGAN)
            shown = Shown(id=new_id(), source=source, key=OPPOSITE, shows=True, form="told", context="general")
            observe(tx, subject, [shown])
        assert sorted(one.form for one in observations.visible(tx, subject)) == ["stated", "told", "told"]


@pytest.mark.usefixtures("_reader")
def test_nothing_is_read_of_a_memory_whose_message_names_a_sensitive_matter(bench: Workbench) -> None:
    eve = bench.person()
    _learned_from(bench, eve, f"Since my depression began: {SAID}")
    assert bench.count("select count(*) from trait_observations") == 0


@pytest.mark.usefixtures("_reader")
def test_feedback_alone_is_reflected_on_when_the_session_is_over(bench: Workbench) -> None:
    eve = bench.person()
    eve.post("/api/v1/feedback", {"rating": "disagree"})
    waiting = "select count(*) from outbox where kind = 'trait.reflect' and available_at > now()"
    assert bench.count(waiting) == 0
    eve.post("/api/v1/feedback", {"rating": "disagree", "comment": SAID})
    assert bench.count(waiting) == 1
    lin = bench.person()
    body = {"action": "reject", "evidence_ref": "Too long.", "reason": "too_long"}
    lin.post("/api/v1/memory/preferences/ingest", body, status=200)
    assert bench.count(waiting) == 2


@pytest.mark.usefixtures("_reader")
def test_a_trait_whose_memories_were_reworded_is_gone(bench: Workbench) -> None:
    eve = bench.person()
    for number in range(3):
        body = {"content": f"Bought kettle {number} the moment I saw it.", "content_type": "fact"}
        memory = eve.post(LONG_TERM, body)
        source = Source(
            kind="memory", id=UUID(memory["id"]), conversation_id=None, at_seq=None, at=BEGAN + timedelta(days=number)
        )
        shown = Shown(id=new_id(), source=source, key=OPPOSITE, shows=True, form="stated", context="general")
        with bench.database.begin() as tx:
            observe(tx, subject_of(bench, eve), [shown])
    reflected(bench, eve)
    assert trait_of(eve, OPPOSITE)["used"]
    for memory in eve.get(LONG_TERM)[:2]:
        right = {"content": f"No, {memory['id'][-4:]} was a present."}
        assert bench.api.patch(f"{LONG_TERM}/{memory['id']}", json=right, headers=eve.headers).status_code == 200
    reflected(bench, eve)
    assert eve.get(TRAITS) == []
    assert bench.count("select count(*) from traits") == bench.count("select count(*) from trait_contents") == 0


@pytest.mark.usefixtures("_reader")
def test_evidence_of_a_confirmed_memory_goes_with_the_conversation_it_is_from(bench: Workbench, ada: Person) -> None:
    place = ada.conversation()
    ada.say(place, (LEARNED, "Noted."))
    bench.work()
    [memory] = [one for one in ada.get(LONG_TERM) if one["content"] == LEARNED]
    ada.post("/api/v1/feedback", {"action": "reject", "comment": "No."})
    reflected(bench, ada)
    bench.work()  # notes up to here are read
    ada.post(f"{LONG_TERM}/confirm", {"memory_id": memory["id"]}, status=200)
    bench.work()
    assert _against(ada) == [memory["id"]]
    ada.forget("conversation", conversation_id=place)
    assert _against(ada) == []
    bench.work()
    assert bench.count("select count(*) from trait_observations where source_kind = 'memory'") == 0


def test_all_notes_of_one_moment_are_read(bench: Workbench) -> None:
    eve = bench.person()
    memories = [eve.post(LONG_TERM, {"content": f"I like tea {n}.", "content_type": "fact"}) for n in range(60)]
    eve.post(f"{LONG_TERM}/change", {"ids": [one["id"] for one in memories], "act": "keep"}, status=200)
    with bench.database.begin() as tx:
        assert len(notes.unread(tx, subject_of(bench, eve))) == len(memories)


def test_what_is_contested_is_worded_so_until_that_is_forgotten(bench: Workbench, ada: Person) -> None:
    against = show(bench, ada, ["Took the first one.", "Saw it, bought it."], key=OPPOSITE, first_day=10)
    reflected(bench, ada)
    trait = trait_of(ada)
    assert trait["content"] == f"{SENTENCE}, though not always"
    assert trait["wordings"]["zh"].endswith("，但并非总是如此")
    ada.forget("message", message_id=against[0])
    assert trait_of(ada)["content"] == SENTENCE


def test_forgetting_what_spoke_against_a_trait_erases_nothing_of_it(bench: Workbench) -> None:
    eve = bench.person()
    for day in (0, 20):  # two pieces: a candidate, which has fewer sources than a trait that loses one may have
        show(bench, eve, ["Looked at three shops."], first_day=day)
    [against] = show(bench, eve, ["Took the first one."], first_day=22, shows=False)
    reflected(bench, eve)
    before = bench.count("select count(*) from traits")
    eve.forget("message", message_id=against)
    bench.work()
    assert before == bench.count("select count(*) from traits") == 1


def test_a_measured_habit_goes_with_each_message_it_was_measured_on(bench: Workbench) -> None:
    eve = bench.person()
    places = [eve.conversation() for _ in range(5)]
    said = [[message for message, _ in eve.say(place, ("thx", "ok"), ("ok pls", "ok"))] for place in places]
    subject = subject_of(bench, eve)
    for place in places:
        with bench.database.begin() as tx:
            observe_conversation(tx, subject.id, UUID(place), terms=Terms())
    keys = "select distinct trait_key from trait_observations where conversation_id = cast(:of as uuid)"
    with bench.database.begin() as tx:
        assert len(tx.rows(keys, of=places[4])) == 2
    eve.forget("message", message_id=said[4][0])
    with bench.database.begin() as tx:
        assert [one.occasion for one in observations.visible(tx, subject) if one.occasion == UUID(places[4])] == []


def test_a_session_is_looked_at_as_a_whole_although_that_failed_once(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[object] = []

    def fails_once(_tx: object, _subject_id: object, conversation_id: object, **_: object) -> None:
        tried.append(conversation_id)
        if len(tried) == 1:
            raise DatabaseUnavailable

    monkeypatch.setattr("workers.learner.tasks.observe_conversation", fails_once)
    eve = bench.person()
    conversation = eve.conversation()
    eve.say(conversation, ("I row.", "Fine."))
    eve.post(f"/api/v1/conversations/{conversation}/session-end", {}, status=200)
    bench.work()
    bench.hurry()
    bench.work()
    assert [str(one) for one in tried] == [conversation] * 2
    assert bench.count("select count(*) from outbox where kind = 'memory.consolidate'") == 0


def test_a_message_of_which_a_part_was_forgotten_is_not_measured(bench: Workbench) -> None:
    eve = bench.person()
    places = [eve.conversation() for _ in range(5)]
    for place in places:
        eve.say(place, ("thx", "ok"), ("ok pls", "ok"))
    [(oslo, _)] = eve.say(places[4], ("thx, I live in Oslo now.", "ok"))
    bench.work()
    [memory] = [one for one in eve.get(LONG_TERM) if "Oslo" in one["content"]]
    assert bench.api.delete(f"{LONG_TERM}/{memory['id']}", headers=eve.headers).status_code == 202
    subject = subject_of(bench, eve)
    for place in places:
        with bench.database.begin() as tx:
            observe_conversation(tx, subject.id, UUID(place), terms=Terms())
    with bench.database.begin() as tx:
        sources = {row["source_id"] for row in tx.rows("select source_id from trait_observations")}
    assert sources
    assert UUID(oslo) not in sources


def test_a_message_that_names_a_sensitive_matter_is_not_measured(bench: Workbench) -> None:
    eve = bench.person()
    places = [eve.conversation() for _ in range(5)]
    for place in places:
        eve.say(place, ("thx", "ok"), ("ok pls", "ok"), ("thx, my chemo starts on Monday", "ok"))
    refused: list[Any] = []
    for place in places:
        with bench.database.begin() as tx:
            observe_conversation(tx, subject_of(bench, eve).id, UUID(place), terms=Terms(), refused=refused.append)
    assert bench.count("select count(*) from trait_observations") > 0
    reflected(bench, eve)
    assert "chemo" not in str([eve.get(f"{TRAITS}/{one['id']}/explanation") for one in eve.get(TRAITS)])
    sources = """
        select count(*) from trait_observations o join message_contents c on c.message_id = o.source_id
        where position('chemo' in c.text) > 0
    """
    assert bench.count(sources) == 0
    assert refused == ["health"] * len(places)


def test_a_session_is_over_half_an_hour_after_its_last_observation(bench: Workbench) -> None:
    eve = bench.person()
    show(bench, eve, PIECES[:1])
    due = "select extract(epoch from available_at - now()) / 60 from outbox where kind = 'trait.reflect'"
    with bench.database.begin() as tx:
        tx.run("update outbox set available_at = now() + interval '3 minutes' where kind = 'trait.reflect'")
    show(bench, eve, PIECES[1:2])
    with bench.database.begin() as tx:
        assert 29 < float(tx.value(due)) <= 30
        tx.run("update outbox set available_at = now() - interval '1 second' where kind = 'trait.reflect'")
    show(bench, eve, PIECES[2:3])
    failed = (
        "update outbox set available_at = now() + interval '3 minutes', last_error = 'x' where kind = 'trait.reflect'"
    )
    with bench.database.begin() as tx:
        assert float(tx.value(due)) < 0, "what is due is not put off"
        tx.run(failed)
    show(bench, eve, PIECES[3:4])
    with bench.database.begin() as tx:
        assert float(tx.value(due)) <= 3, "nor what failed and waits for its next try"


TENSE = Entry(
    key="lately-tense", subtype="behavior", en="Lately tense", zh="最近有点紧张", parents=(), opposite=None,
    evidence="Tells of being tense", added=True, mood=True,
)  # fmt: skip


@pytest.fixture
def _mood() -> Iterator[None]:
    catalogue.extend([TENSE])
    yield
    catalogue.extend([])


@pytest.mark.usefixtures("_mood")
def test_a_mood_is_never_inferred_at_work(bench: Workbench) -> None:
    eve = bench.person()
    show(bench, eve, ["What a week.", "My neck again."], key="lately-tense", context="personal")
    show(bench, eve, ["The release keeps me awake."], key="lately-tense", context="work")
    assert bench.count("select count(*) from trait_observations where trait_key = 'lately-tense'") == 2
    reflected(bench, eve, days=4)
    trait = trait_of(eve, "lately-tense")
    assert trait["trait_stage"] == "trend"
    assert trait["valid_window"]["end"] == (BEGAN + timedelta(days=14)).isoformat().replace("+00:00", "Z")


@pytest.mark.usefixtures("_mood")
def test_what_was_observed_at_work_before_it_was_called_a_mood_counts_no_longer(bench: Workbench) -> None:
    eve = bench.person()
    catalogue.extend([replace(TENSE, mood=False)])
    show(bench, eve, ["The release.", "The audit.", "The demo."], key="lately-tense", context="work")
    catalogue.extend([TENSE])
    reflected(bench, eve)
    assert eve.get(TRAITS) == []


def _felt(bench: Workbench, person: Person, *, context: str) -> None:
    """Let a memory with a feeling be evidence of a habit."""
    feeling = {"valence": 0.8, "arousal": 0.6, "label": "proud"}
    body = {"content": "Found a kettle for half.", "content_type": "fact", "emotion": feeling}
    project = {"scope": "project", "project_id": "Atlas"} if context == "project" else {}
    memory = person.post(LONG_TERM, body | project)
    context = "general" if project else context
    source = Source(kind="memory", id=UUID(memory["id"]), conversation_id=None, at_seq=None, at=BEGAN)
    shown = Shown(id=new_id(), source=source, key=KEY, shows=True, form="stated", context=context)  # type: ignore[arg-type]
    with bench.database.begin() as tx:
        observe(tx, subject_of(bench, person), [shown])


@pytest.mark.parametrize(("context", "felt"), [("personal", True), ("work", False), ("project", False)])
def test_a_trait_says_how_somebody_felt_if_the_deployment_wants_it_and_never_of_work(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch, context: str, felt: bool
) -> None:
    _felt(bench, ada, context=context)
    bench.work()
    reflected(bench, ada)
    trait = trait_of(ada)
    assert trait["emotion"] is None, "off by default"
    with bench.database.begin() as tx:
        found = emotions.of_traits(tx, [UUID(trait["id"])])
    assert list(found.values()) == ([Emotion(valence=0.8, arousal=0.6, label="proud")] if felt else [])
    shown = portraits.with_evidence
    monkeypatch.setattr(
        portraits, "with_evidence", lambda tx, of, terms: shown(tx, of, terms=replace(terms, emotions=True))
    )
    assert (trait_of(ada)["emotion"] or {}).get("label") == ("proud" if felt else None)
