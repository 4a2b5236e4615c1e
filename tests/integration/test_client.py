"""The Python client with the real gateway behind a real socket: sync and async, one person and a service key."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import anyio
import httpx2
import pytest

import memory_center_client as client
from memory_center_client import AsyncMemoryCenter, MemoryCenter, receipts
from memory_center_client._async import transport as async_transport
from shared.runtime.authentication import mint_person_token
from shared.runtime.signing import Signer
from tests.support.ledger_entries import begun_again
from tests.support.running import running
from tests.support.seeding import very_many
from tests.support.workbench import SERVICE_KEY, SIGNING_KEY, Person, Workbench

SECONDS = 20


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    from memory_center_client._sync import transport as sync_transport

    for module in (async_transport, sync_transport):
        monkeypatch.setattr(module, "PAUSE_SECONDS", 0.01)


@pytest.fixture
def url(bench: Workbench) -> Iterator[str]:
    with running(bench.api.app, lifespan="off") as address:
        yield address


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


@pytest.fixture
def memory(url: str, ada: Person) -> Iterator[MemoryCenter]:
    with MemoryCenter(url, token_of(ada), timeout=SECONDS) as center:
        yield center


def token_of(person: Person) -> str:
    return mint_person_token(SIGNING_KEY, person.user_id)


@pytest.mark.usefixtures("working")
def test_a_life_from_a_sentence_to_its_receipt(memory: MemoryCenter, bench: Workbench) -> None:
    talk = memory.conversations.create(title="Lunch")
    recorded = memory.messages.record(
        talk, [{"role": "user", "content": "I'm allergic to peanuts."}, {"role": "assistant", "content": "Noted."}]
    )
    became = memory.messages.wait(recorded[0]["id"], SECONDS)
    assert {one["kind"] for one in became["derived"]} >= {"memory", "episode"}
    [learned] = memory.memories.list()
    assert learned["content"] == "I'm allergic to peanuts."
    assert learned["content"] in memory.recall("May I eat satay?")["prompt"]
    assert [one["id"] for one in memory.search("peanuts")["items"] if one["kind"] == "memory"] == [learned["id"]]
    assert memory.memories.explain(learned["id"])["chain"]
    assert [one["content"] for one in memory.messages.list(talk)] == ["Noted.", "I'm allergic to peanuts."]

    forgotten = memory.forget.message(recorded[0]["id"])

    assert "peanuts" not in str(memory.recall("May I eat satay?"))
    forgotten.wait(SECONDS)
    assert forgotten.receipt_id
    key = Signer(bench.settings.ledger_key.get_secret_value()).public_key
    receipt = memory.receipts.verify(forgotten.receipt_id, public_keys=[key])
    assert receipt["erased_at"]
    assert [one["id"] for one in memory.operations.list()] == [forgotten.id]


def test_the_same_awaited(url: str, ada: Person, bench: Workbench) -> None:
    async def token() -> str:
        return token_of(ada)

    async def play() -> None:
        async with AsyncMemoryCenter(url, token, timeout=SECONDS) as memory:
            written = await memory.memories.create("I keep bees.", content_type="preference")
            assert [one["id"] async for one in memory.memories.list()] == [written["id"]]
            assert "I keep bees." in (await memory.recall("bees"))["prompt"]
            forgotten = await memory.memories.delete(written["id"])
            await anyio.to_thread.run_sync(bench.work)
            await forgotten.wait(SECONDS)
            assert [one async for one in memory.memories.list()] == []

    anyio.run(play)


def test_both_clients_have_the_same_methods() -> None:
    def methods(of: type) -> dict[str, list[str]]:
        return {
            name: [*inspect.signature(member).parameters]
            for name, member in inspect.getmembers(of, inspect.isfunction)
            if not name.startswith("_") and name not in ("aclose", "close")
        }

    assert methods(AsyncMemoryCenter) == methods(MemoryCenter)
    with MemoryCenter("http://memory.invalid") as sync:
        parts = {name: type(part) for name, part in vars(sync).items() if not name.startswith("_")}
    assert len(parts) > 10
    awaited = vars(AsyncMemoryCenter("http://memory.invalid"))
    for name, part in parts.items():
        assert methods(part) == methods(type(awaited[name])), name


def test_a_message_that_nothing_answered_is_waited_for_by_nobody(memory: MemoryCenter, bench: Workbench) -> None:
    talk = memory.conversations.create()
    [said] = memory.messages.record(talk, [{"role": "user", "content": "I'm allergic to peanuts."}])
    with pytest.raises(client.TurnIsOpen):
        memory.messages.wait(said["id"])
    memory.conversations.end_session(talk)
    with pytest.raises(client.TimedOut):
        memory.messages.wait(said["id"], 0.3)  # nobody works
    bench.work()
    assert memory.messages.wait(said["id"])["derived"]


def test_a_find_that_found_nothing_selects_nothing(memory: MemoryCenter) -> None:
    found = memory.forget.find("my submarine")
    assert (found["candidates"], found["token"]) == ([], None)
    with pytest.raises(ValueError, match="nothing is selected"):
        memory.forget.selection(token=found["token"])


def test_a_change_names_the_version_it_was_made_from(memory: MemoryCenter) -> None:
    written = memory.memories.create("I row.")
    version = memory.memories.get(written["id"])["version"]
    memory.memories.update(written["id"], version=version, disabled=True)

    with pytest.raises(client.Changed) as refused:
        memory.memories.update(written["id"], version=version, disabled=False)

    assert refused.value.code == "precondition_failed"
    assert memory.memories.get(written["id"])["disabled"]


def test_a_forget_is_undone_in_its_window(memory: MemoryCenter) -> None:
    written = memory.memories.create("I row.")
    forgotten = memory.memories.delete(written["id"], undo_seconds=60)
    with pytest.raises(client.NotFound):
        memory.memories.get(written["id"])

    forgotten.cancel()

    assert memory.memories.get(written["id"])["content"] == "I row."
    with pytest.raises(client.OperationFailed, match="cancelled"):
        forgotten.wait(SECONDS)


def test_waiting_ends_and_the_operation_goes_on(memory: MemoryCenter) -> None:
    forgotten = memory.memories.delete(memory.memories.create("I row.")["id"])

    with pytest.raises(client.TimedOut):
        forgotten.wait(0.2)

    assert forgotten.state()["status"] in ("pending", "running")


def test_a_closed_account_is_followed_to_its_receipt(memory: MemoryCenter, bench: Workbench) -> None:
    memory.memories.create("I row.")
    closed = memory.forget.everything(confirmation="FORGET EVERYTHING", close_account=True)
    bench.work()

    closed.wait(SECONDS)

    assert closed.receipt()["status"] == "succeeded"


def test_a_description_finds_and_its_token_forgets(memory: MemoryCenter, bench: Workbench) -> None:
    memory.memories.create("I'm allergic to peanuts.")
    memory.memories.create("I row on Sundays.")
    found = memory.forget.find("my peanut allergy")
    assert [one["content"] for one in found["candidates"] if one["sure"]] == ["I'm allergic to peanuts."]
    assert memory.forget.preview(token=found["token"])["counts"]

    memory.forget.selection(token=found["token"])

    assert [one["content"] for one in memory.memories.list()] == ["I row on Sundays."]
    assert memory.forget.dry_run(scope="user")["counts"]


def test_what_a_description_surely_means_is_forgotten_and_nothing_else(memory: MemoryCenter) -> None:
    memory.memories.create("I'm allergic to peanuts.")
    memory.memories.create("I row on Sundays.")

    assert memory.forget.description("my submarine") == []
    [operation] = memory.forget.description("my peanut allergy", undo_seconds=30)

    assert [one["content"] for one in memory.memories.list()] == ["I row on Sundays."]
    operation.cancel()


def test_a_list_is_read_page_by_page(memory: MemoryCenter, ada: Person) -> None:
    written = {memory.memories.create(f"My locker number {number} is full.")["id"] for number in range(7)}

    assert [len(page) for page in memory.memories.list(limit=3).pages()] == [3, 3, 1]
    assert {one["id"] for one in memory.memories.list(limit=3)} == written


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.full)])
def test_very_many_are_iterated_while_some_are_forgotten(
    memory: MemoryCenter, bench: Workbench, ada: Person, count: int
) -> None:
    very_many(bench.database, ada.user_id, count)
    pages = memory.memories.list(limit=200).pages()
    read = [one["id"] for one in next(pages)]
    forgotten = {read[-1], next(iter(memory.memories.list(sort="oldest", limit=1)))["id"]}
    for one in forgotten:
        memory.memories.delete(one)
    read += [one["id"] for page in pages for one in page]

    assert len(read) == len(set(read)) == count - 1, "all but the one that was forgotten before it was reached"
    assert {one["id"] for one in memory.memories.list()} == set(read) - forgotten


def test_a_services_key_names_whom_it_acts_for(url: str, bench: Workbench) -> None:
    ada, lin = bench.person(), bench.person()
    with MemoryCenter(url, SERVICE_KEY) as service:
        hers, his = service.for_user(ada.user_id), service.for_user(lin.user_id)
        written = hers.memories.create("I keep bees.")
        talk = his.conversations.create()

        assert [one["id"] for one in hers.memories.list()] == [written["id"]]
        assert [*his.memories.list()] == []
        assert [one["id"] for one in his.conversations.list()] == [talk]
        assert his.conversations.end_session(talk)["conversation_id"] == talk
        assert hers.settings.update(privacy_mode_enabled=True)["privacy_mode_enabled"]
        assert not his.settings.get()["privacy_mode_enabled"]
        with pytest.raises(client.NotFound):
            his.memories.get(written["id"])
        with pytest.raises(client.ValidationFailed) as nobody:
            service.settings.get()
        assert nobody.value.code == "user_id_required"
        issued = service.tokens.issue(ada.user_id, minutes=5, scopes=["memory:read"])
    with MemoryCenter(url, issued["token"]) as reader:
        assert [one["id"] for one in reader.memories.list()] == [written["id"]]
        with pytest.raises(client.Forbidden):
            reader.memories.delete(written["id"])


class LosesAnswers(httpx2.BaseTransport):
    """Delivers every request, and loses the first answers."""

    def __init__(self, losses: int) -> None:
        self.losses, self.sent = losses, 0
        self._through = httpx2.HTTPTransport()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        self.sent += 1
        answer = self._through.handle_request(request)
        if self.sent <= self.losses:
            answer.close()
            raise httpx2.ReadError("the connection was lost")
        return answer

    def close(self) -> None:
        self._through.close()


def test_a_lost_answer_is_asked_for_again_and_has_one_effect(url: str, ada: Person) -> None:
    lossy = LosesAnswers(2)
    with MemoryCenter(url, token_of(ada), transport=lossy) as memory:
        memory.memories.create("I keep bees.")

        assert lossy.sent == 3
        assert len([*memory.memories.list()]) == 1
    with (
        MemoryCenter(url, token_of(ada), retries=1, transport=LosesAnswers(2)) as memory,
        pytest.raises(client.ConnectionFailed),
    ):
        memory.memories.create("I row.")


def answering(*answers: tuple[int, dict[str, str]]) -> tuple[httpx2.MockTransport, list[httpx2.Request]]:
    """Return a transport that answers so in turn, and the requests it gets."""
    sent: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        status, headers = answers[min(len(sent), len(answers) - 1)]
        sent.append(request)
        return httpx2.Response(status, headers=headers, json={"code": "busy", "title": "Busy."} if status > 399 else {})

    return httpx2.MockTransport(answer), sent


@pytest.mark.parametrize("status", [408, 429, 502, 503, 504])
def test_what_passes_is_repeated_under_the_same_key(status: int) -> None:
    transport, sent = answering((status, {"Retry-After": "0"}), (200, {}))
    with MemoryCenter("http://memory.invalid", "t", transport=transport) as memory:
        memory.memories.create("I row.")

    assert len(sent) == 2
    assert len({one.headers["Idempotency-Key"] for one in sent}) == 1


def test_events_wait_longer_than_an_answer_may_take() -> None:
    waits: list[float] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        waits.append(request.extensions["timeout"]["read"])
        return httpx2.Response(200, headers={"Content-Type": "text/event-stream"}, text="event: changes\ndata: {}\n\n")

    transport = httpx2.MockTransport(answer)
    with MemoryCenter("http://memory.invalid", "t", transport=transport, timeout=2, retries=0) as memory:
        next(memory.events())
    assert waits[0] > 15, "the server says something every 15 seconds"


@pytest.mark.parametrize("later", ["300", "Fri, 01 Jan 2100 00:00:00 GMT"])
def test_who_is_asked_to_wait_long_is_told_at_once(later: str) -> None:
    transport, sent = answering((503, {"Retry-After": later}))
    with (
        MemoryCenter("http://memory.invalid", "t", transport=transport) as memory,
        pytest.raises(client.ServerFailed),
    ):
        memory.memories.create("I row.")
    with (
        MemoryCenter("http://memory.invalid", "t", transport=transport) as memory,
        pytest.raises(client.ServerFailed),
    ):
        next(memory.events())
    assert len(sent) == 2


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, client.ApiError),
        (401, client.Unauthenticated),
        (403, client.Forbidden),
        (404, client.NotFound),
        (409, client.Conflict),
        (410, client.Gone),
        (412, client.Changed),
        (422, client.ValidationFailed),
        (500, client.ServerFailed),
    ],
)
def test_what_does_not_pass_is_an_error_at_once(status: int, error: type[Exception]) -> None:
    transport, sent = answering((status, {}))
    with (
        MemoryCenter("http://memory.invalid", "t", transport=transport) as memory,
        pytest.raises(error) as refused,
    ):
        memory.memories.create("My secret is Quokka.")

    assert type(refused.value) is error
    assert len(sent) == 1
    assert "Quokka" not in str(refused.value)


def test_what_is_not_memory_center_is_said() -> None:
    transport = httpx2.MockTransport(lambda _: httpx2.Response(200, text="<html>"))
    with (
        MemoryCenter("http://memory.invalid", transport=transport) as memory,
        pytest.raises(client.UnexpectedAnswer),
    ):
        memory.settings.get()
    with MemoryCenter("http://127.0.0.1:9", retries=0) as nothing, pytest.raises(client.ConnectionFailed):
        nothing.settings.get()


def test_whatever_answers_instead_is_one_kind_of_error() -> None:
    html = httpx2.MockTransport(lambda _: httpx2.Response(200, html="<p>Welcome</p>"))
    with MemoryCenter("http://elsewhere", "token", transport=html, retries=0) as center:
        for call in (
            lambda: center.settings.update(traits_enabled=False),
            lambda: center.memories.update("1", content="I keep bees."),
            lambda: center.conversations.end_session("1"),
        ):
            with pytest.raises(client.UnexpectedAnswer):
                call()


def test_half_of_a_character_is_refused_by_the_server(memory: MemoryCenter) -> None:
    with pytest.raises(client.ValidationFailed):
        memory.memories.create("I keep bees \ud83d")


def test_a_function_for_the_token_may_be_a_plain_one(url: str, ada: Person) -> None:
    async def live() -> int:
        async with AsyncMemoryCenter(url, lambda: token_of(ada)) as center:
            return len([one async for one in center.memories.list()])

    assert anyio.run(live) == 0


def test_changes_are_told_as_they_happen(memory: MemoryCenter, url: str, ada: Person) -> None:
    events = memory.events()
    name, told = next(events)
    assert name == "changes"
    with MemoryCenter(url, token_of(ada)) as other:
        other.memories.create("I keep bees.")

    assert (
        "memories" in told["areas"] or "memories" in next(told for name, told in events if name == "changes")["areas"]
    )
    events.close()


@pytest.mark.usefixtures("working")
def test_an_export_is_downloaded_and_imported_elsewhere(memory: MemoryCenter, url: str, bench: Workbench) -> None:
    memory.memories.create("I keep bees.")
    export = memory.exports.everything()
    export.wait(SECONDS)
    with memory.exports.download(export.id) as pieces:
        package = b"".join(pieces)
    assert memory.exports.get(export.id)["bytes"] == len(package)

    with MemoryCenter(url, token_of(bench.person())) as other:
        assert other.imports.preview(package)
        other.imports.start(package).wait(SECONDS)
        assert [one["content"] for one in other.memories.list()] == ["I keep bees."]


def test_a_document_is_added_and_forgotten(memory: MemoryCenter, bench: Workbench) -> None:
    added = memory.documents.add(
        b"# Lease\n\nThe rent is due on the third.", media_type="text/markdown", name="租约.md"
    )
    assert memory.documents.get(added["id"])["title"] == "租约.md"
    bench.work()
    assert "third" in memory.recall("When is the rent due?")["prompt"]

    memory.documents.delete(added["id"])

    assert [*memory.documents.list()] == []
    assert "third" not in memory.recall("When is the rent due?")["prompt"]


def test_a_receipt_that_was_altered_proves_nothing(memory: MemoryCenter, bench: Workbench) -> None:
    forgotten = memory.memories.delete(memory.memories.create("I row.")["id"])
    bench.work()
    receipt: Any = forgotten.receipt()
    key = Signer(bench.settings.ledger_key.get_secret_value()).public_key
    receipts.verify(receipt, public_keys=[key])

    def refused(altered: Any, *, keys: tuple[str, ...] = (key,)) -> str:
        with pytest.raises(client.ReceiptInvalid) as why:
            receipts.verify(altered, public_keys=keys)
        return str(why.value)

    first, *_ = receipt["entries"]
    assert "hash" in refused({**receipt, "entries": [{**first, "body": {**first["body"], "type": "nothing"}}]})
    assert "signature" in refused({**receipt, "entries": [{**first, "signature": "00" * 64}]})
    assert "another receipt" in refused({**receipt, "receipt_id": "somebody else's"})
    assert "another key" in refused(receipt, keys=("00" * 32,))
    assert "not proven yet" in refused({**receipt, "entries": [first]})
    again = begun_again(bench.settings.ledger_key, receipt)
    assert "not proven yet" in refused({**receipt, "entries": [*receipt["entries"], again]})
    for nonsense in (
        {},
        {"entries": None},
        {"entries": [7], "receipt_id": "x"},
        {"entries": [{"body": {}}], "receipt_id": "x"},
    ):
        assert "not a receipt" in refused(nonsense)
