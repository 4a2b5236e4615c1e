"""The rolling summary: behind the window, and never with a message that is forgotten or was excluded (MC-03)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from shared.conversations import summarise
from shared.conversations.summarise import SummaryOvertaken, confirm_roll, plan_roll
from shared.language.summarizer.extractive import ExtractiveSummarizer
from shared.language.summarizer.port import Spoken
from shared.outbox.claim import claim_work
from tests.support.backing import Backing
from tests.support.scripted_llm import ScriptedLlm, scripted_llm
from tests.support.workbench import Person, Workbench, test_settings, workbench

SUMMARY = "/api/v1/memory/summary"
RHYTHM = {"windows": {"messages": 4, "summary_every": 2}}

KYOTO = ("We are planning a trip to Kyoto in April.", "Kyoto is full of cherry blossoms in April.")
PEANUTS = ("I'm allergic to peanuts.", "Peanuts will stay out of every recipe.")
GION = ("我们想住在祇园附近的民宿。", "祇园附近的民宿一晚大约八十欧元。")
BUDGET = ("My budget for the hotel is 2000 euros.", "For 2000 euros two weeks are possible.")
TRAIN = ("We would rather take the train than fly.", "The train from Tokyo takes two hours.")
BIRD = ("My canary is called Quillfeather.", "Quillfeather is a fine name for a canary.")
BIRD_ZH = ("我养了一只名叫翎羽的金丝雀。", "翎羽这个名字很适合金丝雀。")


@pytest.fixture
def bench(backing: Backing, database_url: str) -> Iterator[Workbench]:
    with workbench(test_settings(backing, database_url, policy=RHYTHM)) as opened:
        yield opened


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def roll(bench: Workbench) -> int:
    """Let the summaries that are due be written; return how many rolls that took."""
    rolls = 0
    while now := bench.work_once(["summary.roll"]):
        rolls += now
        assert rolls < 100, "it never ends"
    assert bench.count("select count(*) from outbox where last_error = 'internal_error'") == 0
    return rolls


def summary(ada: Person, conversation: str) -> Any:
    return ada.get(SUMMARY, conversation_id=conversation)


def summarised(bench: Workbench, ada: Person, *turns: tuple[str, str]) -> tuple[str, list[tuple[str, str]]]:
    """Return a conversation that was summarised to its end, and the ids of its messages."""
    conversation = ada.conversation()
    said = ada.say(conversation, *turns)
    end_session(ada, conversation)
    roll(bench)
    return conversation, said


def end_session(ada: Person, conversation: str) -> None:
    ada.post(f"/api/v1/conversations/{conversation}/session-end", {}, status=200)


def switch(ada: Person, **switches: bool) -> None:
    assert ada.bench.api.patch("/api/v1/memory/settings", json=switches, headers=ada.headers).status_code == 200


def test_messages_that_slide_out_of_the_window_are_summarised_version_by_version(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, KYOTO, PEANUTS)
    assert roll(bench) == 0
    nothing = summary(ada, conversation)
    assert (nothing["status"], nothing["text"], nothing["version"], nothing["updated_at"]) == ("none", "", 0, None)

    ada.say(conversation, GION)
    assert roll(bench) == 1
    first = summary(ada, conversation)
    assert (first["status"], first["version"], first["method"]) == ("current", 1, "extractive")
    assert (first["covered_from"], first["covered_through"], first["covered_message_count"]) == (1, 2, 2)
    assert KYOTO[0] in first["text"]
    assert "peanuts" not in first["text"], "it is still in the window"

    ada.say(conversation, BUDGET)
    roll(bench)
    second = summary(ada, conversation)
    assert (second["version"], second["covered_from"], second["covered_through"]) == (2, 1, 4)
    assert second["covered_message_count"] == 4
    assert KYOTO[0] in second["text"]
    assert PEANUTS[0] in second["text"]
    assert second["updated_at"] > first["updated_at"]
    assert bench.count("select count(*) from summaries") == bench.count("select count(*) from summary_contents") == 1


def test_a_summary_is_rolled_once_in_so_many_messages(backing: Backing, database_url: str) -> None:
    settings = test_settings(backing, database_url, policy={"windows": {"messages": 4, "summary_every": 6}})
    with workbench(settings) as bench:
        ada = bench.person()
        conversation = ada.conversation()
        versions = []
        for turn in (KYOTO, PEANUTS, GION, BUDGET, TRAIN, BIRD):
            ada.say(conversation, turn)
            roll(bench)
            versions.append(summary(ada, conversation)["version"])
        assert versions == [0, 0, 1, 1, 1, 2]
        assert summary(ada, conversation)["covered_through"] == 8


def test_the_end_of_a_session_summarises_what_the_window_still_held(bench: Workbench, ada: Person) -> None:
    conversation, _ = summarised(bench, ada, GION, PEANUTS)
    found = summary(ada, conversation)
    assert (found["covered_from"], found["covered_through"], found["covered_message_count"]) == (1, 4, 4)
    assert PEANUTS[0] in found["text"]
    assert GION[0] in found["text"]


def test_only_completed_words_of_user_and_assistant_are_summarised(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    batch = [
        {"role": "system", "content": "The canary-prompt tells the assistant to be kind."},
        {"role": "user", "content": KYOTO[0]},
        {"role": "tool", "content": "The canary-tool returned forty hotels in Kyoto."},
        {"role": "assistant", "content": "A canary-half of an answer about Kyoto", "completed": False},
    ]
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": batch})
    end_session(ada, conversation)
    roll(bench)
    found = summary(ada, conversation)
    assert found["text"] == f"User: {KYOTO[0]}"
    assert (found["covered_from"], found["covered_through"], found["covered_message_count"]) == (2, 2, 1)


def test_an_answer_that_is_completed_after_the_summary_passed_it_is_taken_in_later(
    bench: Workbench, ada: Person
) -> None:
    conversation = ada.conversation()
    half = {"role": "assistant", "content": "The", "completed": False, "client_message_id": "slow"}
    batch = [{"role": "user", "content": KYOTO[0]}, half]
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": batch})
    ada.say(conversation, PEANUTS, GION, TRAIN)
    roll(bench)
    assert summary(ada, conversation)["covered_message_count"] == 3

    whole = {**half, "content": "The temples of Kyoto open at nine every morning.", "completed": True}
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": [whole]})
    ada.say(conversation, BUDGET)
    roll(bench)

    found = summary(ada, conversation)
    assert "temples of Kyoto" in found["text"]
    assert (found["covered_from"], found["covered_through"], found["covered_message_count"]) == (1, 6, 6)


def test_off_neither_writes_nor_serves_and_deletes_nothing(bench: Workbench, ada: Person) -> None:
    conversation, _ = summarised(bench, ada, KYOTO)
    before = summary(ada, conversation)

    switch(ada, summary_enabled=False)
    off = summary(ada, conversation)
    assert (off["status"], off["text"], off["version"], off["method"]) == ("off", "", 0, None)
    ada.say(conversation, BIRD, PEANUTS)
    end_session(ada, conversation)
    roll(bench)
    assert bench.count("select max(version) from summaries") == 1

    switch(ada, summary_enabled=True)
    assert summary(ada, conversation) == before
    ada.say(conversation, GION)
    end_session(ada, conversation)
    roll(bench)
    after = summary(ada, conversation)
    assert GION[0] in after["text"]
    assert after["covered_message_count"] == 4
    assert "Quillfeather" not in after["text"], "what was said while it was off is never summarised"


def test_a_roll_that_was_queued_before_the_switch_went_off_writes_nothing(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = ada.conversation()
    ada.say(conversation, KYOTO, PEANUTS, GION)
    while_summarising(monkeypatch, lambda: switch(ada, summary_enabled=False))
    roll(bench)
    assert bench.count("select count(*) from summaries") == 0
    assert bench.count("select count(*) from outbox where kind = 'summary.roll'") == 0


@pytest.mark.parametrize("canary", [BIRD, BIRD_ZH], ids=["en", "zh"])
def test_forgetting_a_covered_message_hides_the_summary_then_rewrites_it_without_it(
    bench: Workbench, ada: Person, canary: tuple[str, str]
) -> None:
    word = "Quillfeather" if canary is BIRD else "翎羽"
    conversation, said = summarised(bench, ada, KYOTO, canary, GION)
    before = summary(ada, conversation)
    assert word in before["text"]

    operation = ada.forget("message", message_id=said[1][0], cascade=True)

    hidden = summary(ada, conversation)
    assert (hidden["status"], hidden["text"]) == ("rewriting", "")
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    again = summary(ada, conversation)
    assert (again["status"], again["version"], again["covered_message_count"]) == ("current", before["version"] + 1, 4)
    assert word not in again["text"]
    assert KYOTO[0] in again["text"]
    assert GION[0] in again["text"]
    assert bench.holds(word) == []
    sources = "select count(*) from lineage where derived_kind = 'summary'"
    assert bench.count(sources) == bench.count("select count(*) from messages") == 4


def test_what_is_forgotten_before_it_is_summarised_never_is(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [_, (question, answer)] = ada.say(conversation, KYOTO, BIRD)
    ada.forget("message", message_id=answer)
    ada.forget("message", message_id=question)
    end_session(ada, conversation)
    bench.work()
    assert "Quillfeather" not in summary(ada, conversation)["text"]
    assert summary(ada, conversation)["covered_message_count"] == 2
    assert bench.holds("Quillfeather") == []


def test_a_forget_that_may_be_undone_keeps_the_summary_as_it_was(bench: Workbench, ada: Person) -> None:
    conversation, said = summarised(bench, ada, KYOTO, BIRD)
    before = summary(ada, conversation)
    operation = ada.forget("message", message_id=said[1][0], cascade=True, undo_seconds=60)
    roll(bench)
    assert summary(ada, conversation)["text"] == ""
    assert bench.count("select count(*) from outbox where last_error = 'undo_possible'") == 1

    ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)
    bench.work()

    assert summary(ada, conversation) == before
    assert bench.count("select count(*) from outbox where kind = 'summary.roll'") == 0


def test_nothing_is_summarised_while_a_forget_may_be_undone(bench: Workbench, ada: Person) -> None:
    """Or what it hides would be left out for good, although it is undone."""
    conversation = ada.conversation()
    [_, (question, _)] = ada.say(conversation, KYOTO, BIRD)
    operation = ada.forget("message", message_id=question, cascade=True, undo_seconds=60)
    end_session(ada, conversation)
    roll(bench)
    assert summary(ada, conversation)["status"] == "none"
    ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)
    bench.work()
    assert "Quillfeather" in summary(ada, conversation)["text"]


def test_a_summary_that_must_be_written_again_waits_for_the_switch(bench: Workbench, ada: Person) -> None:
    conversation, said = summarised(bench, ada, KYOTO, BIRD)
    switch(ada, summary_enabled=False)
    ada.forget("message", message_id=said[1][0], cascade=True)
    bench.work()
    assert bench.count("select count(*) from summaries") == 0
    assert bench.holds("Quillfeather") == []

    switch(ada, summary_enabled=True)
    assert summary(ada, conversation)["status"] == "rewriting"
    bench.work()
    assert KYOTO[0] in summary(ada, conversation)["text"]


@pytest.mark.few(1)
@pytest.mark.parametrize("scope", ["clear", "conversation", "user"])
def test_with_all_it_covers_a_summary_goes_for_good(bench: Workbench, ada: Person, scope: str) -> None:
    conversation, _ = summarised(bench, ada, BIRD, BIRD_ZH)
    assert bench.holds("Quillfeather") == ["message_contents", "summary_contents"]
    if scope == "clear":
        ada.post("/api/v1/clear", {"conversation_id": conversation}, status=202)
        assert summary(ada, conversation)["status"] == "none"
    else:
        ada.forget(scope, **({"conversation_id": conversation} if scope == "conversation" else {}))
        gone = bench.api.get(SUMMARY, params={"conversation_id": conversation}, headers=ada.headers)
        assert gone.status_code == 404
    bench.work()
    assert bench.count("select count(*) from summaries") == 0
    assert bench.count("select count(*) from lineage where derived_kind = 'summary'") == 0
    assert bench.holds("Quillfeather") == bench.holds("翎羽") == []


def test_after_a_clear_a_summary_begins_anew_and_its_versions_go_on(bench: Workbench, ada: Person) -> None:
    conversation, _ = summarised(bench, ada, BIRD)
    ada.post("/api/v1/clear", {"conversation_id": conversation}, status=202)
    bench.work()
    ada.say(conversation, KYOTO)
    end_session(ada, conversation)
    roll(bench)
    found = summary(ada, conversation)
    assert (found["version"], found["covered_message_count"], found["covered_from"]) == (2, 2, 4)
    assert "Quillfeather" not in found["text"]


def while_summarising(monkeypatch: pytest.MonkeyPatch, act: Callable[[], Any]) -> None:
    """Do something once between looking at the messages and storing what was made of them."""
    real = ExtractiveSummarizer.summarize
    done: list[int] = []

    def summarize(self: ExtractiveSummarizer, previous: str, messages: Sequence[Spoken]) -> str:
        text = real(self, previous, messages)
        if not done:
            done.append(1)
            act()
        return text

    monkeypatch.setattr(ExtractiveSummarizer, "summarize", summarize)


@pytest.mark.parametrize("covered", [False, True], ids=["a new message", "one of the summary before"])
def test_a_late_writer_never_brings_back_what_was_forgotten_meanwhile(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch, covered: bool
) -> None:
    conversation = ada.conversation()
    [(bird, _)] = ada.say(conversation, BIRD)
    if covered:
        end_session(ada, conversation)
        roll(bench)
    ada.say(conversation, KYOTO, GION)
    end_session(ada, conversation)
    while_summarising(monkeypatch, lambda: ada.forget("message", message_id=bird, cascade=True))

    assert bench.work_once(["summary.roll"]) == 1
    assert summary(ada, conversation)["text"] == ""
    bench.work()

    found = summary(ada, conversation)
    assert "Quillfeather" not in found["text"]
    assert (found["status"], found["covered_message_count"]) == ("current", 4)
    assert bench.holds("Quillfeather") == []


def test_of_two_rolls_of_one_conversation_the_later_one_stores_nothing(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, KYOTO, PEANUTS, GION)
    [(row, _)] = bench.due(["summary.roll"])
    terms, summary_schedule = bench.process.terms, bench.process.summary_schedule
    with bench.database.begin() as tx:
        [lease] = claim_work(tx, [row], lease_seconds=60, kinds=["summary.roll"])
        plan = plan_roll(tx, lease, terms=terms, summary_schedule=summary_schedule)
    assert plan is not None
    end_session(ada, conversation)
    roll(bench)
    other = summary(ada, conversation)
    assert other["covered_message_count"] == 6

    with pytest.raises(SummaryOvertaken), bench.database.begin() as tx:
        confirm_roll(tx, plan, text="late", method="extractive", terms=terms)
    assert summary(ada, conversation) == other


def test_a_roll_reads_a_bounded_part_however_long_the_conversation_is(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summarise, "BATCH_MESSAGES", 4)
    read: list[int] = []
    real = ExtractiveSummarizer.summarize

    def summarize(self: ExtractiveSummarizer, previous: str, messages: Sequence[Spoken]) -> str:
        read.append(len(messages))
        return real(self, previous, messages)

    monkeypatch.setattr(ExtractiveSummarizer, "summarize", summarize)
    conversation, said = summarised(bench, ada, KYOTO, PEANUTS, BIRD, GION, BUDGET)
    assert read == [4, 4, 2]
    found = summary(ada, conversation)
    assert (found["version"], found["covered_message_count"], found["covered_through"]) == (3, 10, 10)

    read.clear()
    ada.forget("message", message_id=said[2][0], cascade=True)
    bench.work()
    assert read == [4, 4]
    found = summary(ada, conversation)
    assert (found["status"], found["covered_message_count"], found["covered_through"]) == ("current", 8, 10)
    assert "Quillfeather" not in found["text"]


def test_long_messages_make_smaller_batches(bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summarise, "BATCH_CHARACTERS", 3_000)
    long = " ".join(f"Step number {number} mentions detail {number}." for number in range(200))
    conversation, _ = summarised(bench, ada, (long, long), (long, long))
    found = summary(ada, conversation)
    assert (found["version"], found["covered_message_count"]) == (4, 4)
    assert len(found["text"]) <= bench.settings.summary_max_characters


def test_what_is_excluded_is_never_summarised(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    batch = [{"role": "user", "content": BIRD[0], "remember": False}, {"role": "assistant", "content": "I see."}]
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": batch})
    ada.say(conversation, KYOTO)
    path = f"/api/v1/conversations/{conversation}"
    bench.api.patch(path, json={"remember": False}, headers=ada.headers)
    ada.say(conversation, BIRD_ZH)
    end_session(ada, conversation)
    roll(bench)
    assert summary(ada, conversation)["status"] == "none", "nothing is made of it while it is excluded"
    bench.api.patch(path, json={"remember": True}, headers=ada.headers)
    ada.say(conversation, GION)
    end_session(ada, conversation)
    roll(bench)
    found = summary(ada, conversation)["text"]
    assert KYOTO[0] in found
    assert GION[0] in found
    assert "Quillfeather" not in found
    assert "翎羽" not in found


def test_what_is_sensitive_is_masked_before_it_is_written(bench: Workbench, ada: Person) -> None:
    turn = ("My password is canary-Tr0ub4dor and my e-mail is canary@example.org.", "我的邮箱是 canary@example.com。")
    conversation, _ = summarised(bench, ada, turn, KYOTO)
    found = summary(ada, conversation)["text"]
    assert "[email]" in found
    assert "canary" not in found
    assert bench.holds("canary@example") == bench.holds("canary-Tr0ub4dor") == ["message_contents"]


def test_the_queue_holds_no_words(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, BIRD, KYOTO, GION)
    with bench.database.begin() as tx:
        [queued] = tx.rows("select payload, dedupe_key from outbox where kind = 'summary.roll'")
    assert queued["payload"] == {"conversation_id": conversation, "again": False}
    assert "outbox" not in bench.holds("Quillfeather")


class TestWithLanguageModel:
    """The same roll with a model behind an OpenAI-compatible endpoint."""

    @pytest.fixture
    def llm(self) -> Iterator[ScriptedLlm]:
        with scripted_llm() as script:
            yield script

    @pytest.fixture
    def bench(self, backing: Backing, database_url: str, llm: ScriptedLlm) -> Iterator[Workbench]:
        endpoint = {"llm_base_url": llm.base_url, "llm_model": "scripted", "llm_api_key": "sk-for-tests"}
        with workbench(test_settings(backing, database_url, policy=RHYTHM, **endpoint)) as opened:
            yield opened

    @pytest.fixture
    def ada(self, bench: Workbench) -> Person:
        switch(person := bench.person(), longterm_enabled=False)
        return person

    def test_a_model_gets_the_last_summary_and_new_messages_and_its_text_is_labelled(
        self, bench: Workbench, ada: Person, llm: ScriptedLlm
    ) -> None:
        llm.answers = ["They plan a trip to Kyoto.", "They plan a trip to Kyoto; no peanuts."]
        conversation, _ = summarised(bench, ada, KYOTO)
        first = summary(ada, conversation)
        assert (first["text"], first["method"]) == ("They plan a trip to Kyoto.", "model:scripted")
        ada.say(conversation, PEANUTS)
        end_session(ada, conversation)
        roll(bench)

        assert summary(ada, conversation)["text"] == "They plan a trip to Kyoto; no peanuts."
        instructions, _, said = llm.prompts[1].partition("\n{")
        assert json.loads("{" + said) == {
            "summary_so_far": "They plan a trip to Kyoto.",
            "messages": [
                {"role": "user", "content": PEANUTS[0]},
                {"role": "assistant", "content": PEANUTS[1]},
            ],
        }
        assert "1500 characters" in instructions
        assert llm.authorizations == ["Bearer sk-for-tests"] * 2

    def test_a_model_sees_nothing_sensitive_and_what_it_writes_is_masked_too(
        self, bench: Workbench, ada: Person, llm: ScriptedLlm
    ) -> None:
        llm.answers = ["Write to canary@example.com."]
        conversation, _ = summarised(bench, ada, ("My e-mail is canary@example.org.", "Thanks."))
        assert "My e-mail is [email]." in llm.prompts[0]
        assert "canary" not in llm.prompts[0]
        assert summary(ada, conversation)["text"] == "Write to [email]."

    @pytest.mark.parametrize("answer", ["", "<think>What did they say?"])
    def test_if_the_model_gives_no_text_the_summary_is_extractive_and_labelled_so(
        self, bench: Workbench, ada: Person, llm: ScriptedLlm, answer: str
    ) -> None:
        llm.answers = [answer]
        conversation, _ = summarised(bench, ada, KYOTO)
        found = summary(ada, conversation)
        assert found["method"] == "extractive"
        assert KYOTO[0] in found["text"]

    def test_an_answer_that_is_too_long_is_cut_after_a_sentence(
        self, bench: Workbench, ada: Person, llm: ScriptedLlm
    ) -> None:
        llm.answers = ["他们打算四月去京都旅行。" * 200]
        conversation, _ = summarised(bench, ada, KYOTO)
        found = summary(ada, conversation)["text"]
        assert 1400 < len(found) <= 1500
        assert found.endswith("。")

    def test_a_model_that_is_away_is_asked_again(self, bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
        llm.status = 500
        conversation = ada.conversation()
        ada.say(conversation, KYOTO, PEANUTS, GION)
        bench.work_once(["summary.roll"])
        assert bench.count("select count(*) from outbox where last_error = 'model_unavailable'") == 1
        llm.status, llm.answers = 200, ["They plan a trip to Kyoto."]
        bench.hurry()
        roll(bench)
        assert summary(ada, conversation)["text"] == "They plan a trip to Kyoto."

    def test_an_endpoint_that_rejects_the_request_is_shown_as_failed(
        self, bench: Workbench, ada: Person, llm: ScriptedLlm
    ) -> None:
        llm.status = 401
        ada.say(ada.conversation(), KYOTO, PEANUTS, GION)
        bench.work_once(["summary.roll"])
        failed = "select count(*) from outbox where state = 'failed' and last_error = 'store_misconfigured'"
        assert bench.count(failed) == 1

    def test_what_is_forgotten_while_the_model_answers_is_neither_stored_nor_shown_again(
        self, bench: Workbench, ada: Person, llm: ScriptedLlm
    ) -> None:
        conversation = ada.conversation()
        [(bird, _)] = ada.say(conversation, BIRD)
        ada.say(conversation, KYOTO)
        end_session(ada, conversation)
        reply = llm.reply

        def replying(request: dict[str, Any]) -> tuple[int, dict[str, Any]]:
            llm.reply = reply  # type: ignore[method-assign]
            ada.forget("message", message_id=bird, cascade=True)
            return reply(request)

        llm.reply = replying  # type: ignore[method-assign]
        llm.answers = ["They speak of Quillfeather.", "They plan a trip to Kyoto."]
        bench.work_once(["summary.roll"])
        assert summary(ada, conversation)["text"] == ""
        bench.work()

        assert summary(ada, conversation)["text"] == "They plan a trip to Kyoto."
        assert ["Quillfeather" in prompt for prompt in llm.prompts] == [True, False]
        assert bench.holds("Quillfeather") == []

    def test_no_prompt_leaves_after_the_202(
        self, bench: Workbench, ada: Person, llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        conversation = ada.conversation()
        [(bird, _)] = ada.say(conversation, BIRD)
        end_session(ada, conversation)
        from workers.indexer import summaries as worker

        real = worker.may_be_shown
        accepted: list[str] = []

        def forgotten_just_before(*args: Any) -> None:
            if not accepted:
                accepted.append(ada.forget("message", message_id=bird, cascade=True))
            real(*args)

        monkeypatch.setattr(worker, "may_be_shown", forgotten_just_before)
        bench.work_once(["summary.roll"])
        assert len(accepted) == 1
        assert llm.prompts == []
        bench.work()
        assert ada.operation(accepted[0])["status"] == "succeeded"


def test_a_summary_is_its_persons(bench: Workbench, ada: Person) -> None:
    conversation, _ = summarised(bench, ada, KYOTO)
    other = bench.api.get(SUMMARY, params={"conversation_id": conversation}, headers=bench.person().headers)
    assert other.status_code == 404
