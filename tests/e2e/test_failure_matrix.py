"""Rows of docs/failure-matrix.md that need processes and servers that really die, stand still, and come back."""

from __future__ import annotations

import os
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from deploy.embedded import ports, readiness
from deploy.embedded.processes import Child, Guardian
from deploy.embedded.supervision import Phase, Supervisor
from shared.erasure.discard_vectors import queue_abandoned
from shared.outbox.job_kinds import RECORD_ACCEPTED
from tests.e2e.conftest import Stack, wait_for
from tests.e2e.test_quarantine import told
from tests.e2e.test_stack import User
from tests.support.backing import Backing
from tests.support.workbench import Person, Workbench, test_settings, workbench

ROOT = Path(__file__).parents[2]
PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
LEASE_SECONDS = 1
"""Instead of 15, so that waiting for one to expire is short; `make bench-erasure` measures production's."""


class Installation:
    """A gateway, a scheduler and a worker that can be told where to end, restarted when they die; the bench is a second
    API process and, when told to work, a second worker."""

    def __init__(self, bench: Workbench, folder: Path) -> None:
        self.bench = bench
        self._folder = folder
        self._port, self._metrics_port = ports.free_port(), ports.free_port()
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("MEMORY_CENTER_")},
            **told(bench.settings),
            "MEMORY_CENTER_BROKER_URL": bench.settings.broker_url.get_secret_value().rpartition("/")[0] + "/2",
            "MEMORY_CENTER_PORT": str(self._port),
            "MEM0_TELEMETRY": "False",
            "OMP_NUM_THREADS": "1",
        }
        self._children = [
            self._child("worker", "workers", environment | {"MEMORY_CENTER_METRICS_PORT": str(self._metrics_port)}),
            self._child("gateway", "services.gateway", environment),
            self._child("scheduler", "workers.scheduler", environment),
        ]
        self._supervisor: Supervisor | None = None

    def _child(self, name: str, module: str, environment: dict[str, str]) -> Child:
        ready = self._folder / f"{name}.ready"
        return Child(
            name=name,
            argv=(sys.executable, "-m", "tests.support.doomed", module, str(self._plan(name))),
            log=self._folder / f"{name}.log",
            environment={**environment, "MEMORY_CENTER_READY_FILE": str(ready)},
            directory=ROOT,
            before_start=readiness.remover(ready),
            is_ready=readiness.looks_for(ready),
        )

    @contextmanager
    def running(self) -> Iterator[None]:
        guardian = Guardian(self._folder / "guardian.log")
        self._supervisor = Supervisor(start=guardian.start, say=lambda _line: None, ended=guardian.release)
        self._supervisor.add(self._children)
        stop = threading.Event()

        def supervise() -> None:
            while not stop.wait(0.05):
                self.supervisor.step()

        thread = threading.Thread(target=supervise)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
            self.supervisor.stop()
            guardian.close()

    @property
    def supervisor(self) -> Supervisor:
        assert self._supervisor is not None
        return self._supervisor

    def is_ready(self) -> bool:
        return all(self.supervisor.phase(child.name) == Phase.READY for child in self._children)

    def process(self, name: str) -> psutil.Process:
        return psutil.Process(self.supervisor.running()[name][1])

    def ends(self, name: str, how: signal.Signals, place: str, *, time: int = 1) -> Callable[[], bool]:
        """Plan where a process gets a signal; return the question whether it has."""
        process, plan = self.process(name), self._plan(name)
        draft = plan.with_suffix(".draft")
        draft.write_text(f"{how.name} {time} {place}")
        draft.rename(plan)

        def has_ended() -> bool:
            if plan.exists():
                return False
            if how == signal.SIGSTOP:
                return bool(process.status() == psutil.STATUS_STOPPED)
            return self.supervisor.phase(name) != Phase.READY  # for half a second at least

        return has_ended

    def _plan(self, name: str) -> Path:
        return self._folder / f"{name}.plan"

    @contextmanager
    def suspended(self, name: str) -> Iterator[None]:
        process = self.process(name)
        process.suspend()
        try:
            yield
        finally:
            process.resume()

    def ask(self, person: Person, method: str, path: str, body: object = None, *, key: str | None = None) -> Any:
        """Send a request to the gateway that may die of it."""
        headers = person.headers | ({"Idempotency-Key": key} if key else {})
        url = f"http://127.0.0.1:{self._port}{path}"
        return httpx.request(method, url, json=body, headers=headers, timeout=30)

    def lost_leases(self) -> int:
        """Return how often the worker that runs now noticed that somebody else has its row."""
        text = httpx.get(f"http://127.0.0.1:{self._metrics_port}/metrics").text
        counted = [line for line in text.splitlines() if 'kind="episode.index",result="lease_lost"' in line]
        return int(sum(float(line.rpartition(" ")[2]) for line in counted if "_total{" in line))


@pytest.fixture(scope="module")
def parts(backing: Backing) -> Iterator[Installation]:
    with (
        tempfile.TemporaryDirectory(prefix="memory-center-matrix-", ignore_cleanup_errors=True) as folder,
        backing.cloned_database() as url,
        workbench(test_settings(backing, url, lease_seconds=LEASE_SECONDS)) as bench,
    ):
        installation = Installation(bench, Path(folder))
        with installation.running():
            yield installation


@pytest.fixture
def installation(parts: Installation) -> Installation:
    """The module's installation, whole again after the test before."""
    wait_for(parts.is_ready, seconds=60, what="the installation's readiness")
    return parts


def remembering(installation: Installation, count: int = 1) -> list[tuple[Person, str]]:
    """Return people of whom something is remembered, each with the conversation it was said in."""
    people = [(person, person.conversation()) for person in (installation.bench.person() for _ in range(count))]
    for person, conversation in people:
        person.say(conversation, PEANUTS)
    wait_for(
        lambda: all(person.memories() and episodes(person, conversation) for person, conversation in people),
        seconds=30,
        what="remembering",
    )
    return people


def episodes(person: Person, conversation: str) -> list[Any]:
    found: list[Any] = person.get("/api/v1/memory/episodes", conversation_id=conversation)
    return found


def operations(person: Person) -> list[Any]:
    found: list[Any] = person.get("/api/v1/memory/ops")
    return found


def succeeded(person: Person, operation: str) -> bool:
    return bool(person.operation(operation)["status"] == "succeeded")


def steps(person: Person, operation: str) -> dict[str, Any]:
    return {step["name"]: step for step in person.operation(operation)["steps"]}


def fifteen_seconds_pass(bench: Workbench) -> None:
    """Let what nobody claimed be published again now."""
    with bench.database.begin() as tx:
        tx.run("update outbox set published_at = published_at - interval '15 s'")


def nothing_is_left(installation: Installation, person: Person) -> bool:
    namespace = installation.bench.namespace(person)
    parts = installation.bench.process
    return not parts.episodes.keys(namespace) | parts.mem0.keys(namespace)


@pytest.mark.parametrize(
    ("place", "done"), [pytest.param("before commit", 0, marks=pytest.mark.full), ("after commit", 1)]
)
def test_an_api_killed_around_its_commit_did_all_of_it_or_nothing(
    installation: Installation, place: str, done: int
) -> None:
    [(ada, conversation)] = remembering(installation)
    request = {"scope": "conversation", "conversation_id": conversation}
    installation.ask(ada, "GET", "/api/v1/conversations")  # its connection is open: the next commit is the forget's
    killed = installation.ends("gateway", signal.SIGKILL, place)

    with pytest.raises(httpx.TransportError):
        installation.ask(ada, "POST", "/api/v1/memory/forget", request, key="once")

    wait_for(killed, seconds=5, what="the death of the gateway")
    before = [operation["id"] for operation in operations(ada)]
    assert len(before) == done
    assert len(ada.memories()) == 1 - done
    wait_for(installation.is_ready, seconds=30, what="another gateway")
    again = installation.ask(ada, "POST", "/api/v1/memory/forget", request, key="once")
    assert again.status_code == 202
    assert [operation["id"] for operation in operations(ada)] == [again.json()["op_id"]]
    assert before in ([], [again.json()["op_id"]])
    wait_for(lambda: succeeded(ada, again.json()["op_id"]), seconds=30, what="the verified forget")
    assert nothing_is_left(installation, ada)


def test_a_scheduler_killed_between_mark_and_publish_publishes_again(installation: Installation) -> None:
    [(ada, conversation)] = remembering(installation)
    killed = installation.ends("scheduler", signal.SIGKILL, "before publish")
    operation = ada.forget("conversation", conversation_id=conversation)
    wait_for(killed, seconds=10, what="the death of the scheduler")
    marked = "select count(*) from outbox where operation_id = %(id)s and state = 'ready' and published_at is not null"
    assert installation.bench.count(marked, id=operation) == 1

    wait_for(installation.is_ready, seconds=30, what="another scheduler")
    assert installation.bench.count(marked, id=operation) == 1, "a row that is marked waits 12 s for its worker"
    fifteen_seconds_pass(installation.bench)
    wait_for(lambda: succeeded(ada, operation), seconds=30, what="the verified forget")
    assert {step["attempts"] for step in steps(ada, operation).values()} == {1}


@pytest.mark.parametrize(
    ("place", "time", "closed"),
    [
        pytest.param("before delete", 1, 0, marks=pytest.mark.full),
        ("after delete", 1, 0),
        pytest.param("before closing erase.milvus", 2, 1, marks=pytest.mark.full),
    ],
)
def test_a_worker_killed_while_erasing_a_batch_is_replaced_and_all_of_it_ends_erased(
    installation: Installation, place: str, time: int, closed: int
) -> None:
    people = remembering(installation, count=3)
    with installation.suspended("scheduler"):
        forgets = [(ada, ada.forget("conversation", conversation_id=conversation)) for ada, conversation in people]
        installation.bench.work_once([RECORD_ACCEPTED])  # so that what erases comes in one batch of three
        with installation.bench.database.begin() as tx:
            tx.run("update outbox set published_at = null")
        killed = installation.ends("worker", signal.SIGKILL, place, time=time)

    wait_for(killed, seconds=20, what="the death of the worker")
    at_death = [steps(person, operation)["milvus"]["status"] for person, operation in forgets]
    assert at_death.count("succeeded") == closed
    fifteen_seconds_pass(installation.bench)  # for what the worker was told of and had not claimed
    for person, operation in forgets:
        wait_for(lambda: succeeded(person, operation), seconds=30, what="the verified forget")  # noqa: B023
        assert nothing_is_left(installation, person)
    attempts = [step["attempts"] for person, operation in forgets for step in steps(person, operation).values()]
    assert sum(attempts) > len(attempts), "nothing was done again"


def test_a_late_worker_closes_nothing_and_its_writes_are_hidden_until_removed(
    installation: Installation,
) -> None:
    bench, ada = installation.bench, installation.bench.person()
    conversation = ada.conversation()
    switched = bench.api.patch("/api/v1/memory/settings", json={"longterm_enabled": False}, headers=ada.headers)
    assert switched.status_code == 200
    lost = installation.lost_leases()
    stopped = installation.ends("worker", signal.SIGSTOP, "before confirming")
    ada.say(conversation, PEANUTS)
    wait_for(stopped, seconds=20, what="the worker's standing still")
    try:
        namespace = bench.namespace(ada)
        [late] = bench.process.episodes.keys(namespace)
        assert episodes(ada, conversation) == []
        assert ada.search("peanuts", conversation_id=conversation) == []

        def is_taken_over() -> bool:
            bench.work_once()
            return episodes(ada, conversation) != []

        wait_for(is_taken_over, seconds=30, what="the second worker's episode")
    finally:
        installation.process("worker").resume()

    wait_for(lambda: installation.lost_leases() > lost, seconds=20, what="the late worker's noticing")
    [current] = bench.process.episodes.keys(namespace) - {late}
    confirmed = "select count(*) from vector_refs where pk = %(key)s and state = 'written'"
    assert (bench.count(confirmed, key=late), bench.count(confirmed, key=current)) == (0, 1)
    assert len(episodes(ada, conversation)) == 1
    with bench.database.begin() as tx:
        tx.run("update vector_refs set deadline = now() - interval '1 hour' where pk = :key", key=late)  # as time would
        assert queue_abandoned(tx) == 1  # as the scheduler does
    wait_for(lambda: bench.process.episodes.keys(namespace) == {current}, seconds=20, what="the removal")


def test_an_api_stopped_inside_the_fence_is_thrown_out_of_it_within_ten_seconds(installation: Installation) -> None:
    [(ada, conversation)] = remembering(installation)
    request = {"scope": "conversation", "conversation_id": conversation}
    installation.ask(ada, "GET", "/api/v1/conversations")  # its connection is open: the next commit is the forget's
    stopped = installation.ends("gateway", signal.SIGSTOP, "before commit")
    answers: list[Any] = []
    with ThreadPoolExecutor(1) as thread:
        stuck = thread.submit(installation.ask, ada, "POST", "/api/v1/memory/forget", request)
        try:
            wait_for(stopped, seconds=10, what="the gateway's standing still")
            began = time.monotonic()
            while not answers or answers[-1].status_code == 503:
                answers.append(installation.bench.api.post("/api/v1/memory/forget", json=request, headers=ada.headers))
                assert time.monotonic() - began < 10
        finally:
            installation.process("gateway").resume()

    assert [answer.status_code for answer in answers[:2]] in ([503, 202], [503, 503])
    assert answers[0].json()["code"] == "busy"
    assert answers[-1].status_code == 202
    assert stuck.result().status_code == 503
    assert [operation["id"] for operation in operations(ada)] == [answers[-1].json()["op_id"]]
    assert installation.ask(ada, "GET", "/api/v1/conversations").json() == []
    wait_for(lambda: succeeded(ada, answers[-1].json()["op_id"]), seconds=30, what="the verified forget")


@pytest.fixture
def user(stack: Stack) -> Iterator[User]:
    with stack.client() as client:
        yield User(client)


@contextmanager
def hanging(stack: Stack, server: str) -> Iterator[None]:
    first = psutil.Process(stack.pid(server))
    processes = [first, *first.children(recursive=True)]
    for process in processes:
        process.suspend()
    try:
        yield
    finally:
        for process in processes:
            process.resume()


@contextmanager
def killed(stack: Stack, server: str) -> Iterator[None]:
    """Kill a server; the launcher starts another, on whose coming nothing waits here."""
    before = stack.pid(server)
    os.kill(before, signal.SIGKILL)
    yield
    wait_for(lambda: stack.pid(server) not in (0, before), seconds=30, what=f"another {server}")


def accepted(user: User, messages: Sequence[str]) -> tuple[list[str], float]:
    """Forget messages one by one; return the operations and the median of the seconds each took to be accepted."""
    seconds, ids = [], []
    for message in messages:
        began = time.perf_counter()
        answer = user.api.post("/api/v1/memory/forget", json={"scope": "message", "message_id": message})
        seconds.append(time.perf_counter() - began)
        assert answer.status_code == 202, answer.text
        ids.append(str(answer.json()["op_id"]))
    return ids, statistics.median(seconds)


@pytest.mark.parametrize(
    "broken", [pytest.param(hanging, marks=pytest.mark.full), killed], ids=lambda broken: str(broken.__name__)
)
def test_forgets_are_accepted_as_fast_and_all_done_whatever_the_broker_does(
    stack: Stack, user: User, broken: Callable[[Stack, str], Any]
) -> None:
    messages = [message for _ in range(7) for message in user.say()]
    before, usual = accepted(user, messages[:7])
    with broken(stack, "valkey"):
        meanwhile, now = accepted(user, messages[7:])
    assert now < 3 * usual + 0.25, f"{now:.3f} s instead of {usual:.3f} s"
    wait_for(
        lambda: all(user.succeeded(operation) for operation in [*before, *meanwhile]),
        seconds=60,
        what="the verified forgets",
    )


def test_while_postgresql_restarts_requests_succeed_or_get_503_and_none_is_half_done(stack: Stack, user: User) -> None:
    user.say()
    wait_for(user.is_remembered, seconds=30, what="remembering")
    operation = user.forget_everything()
    other = User(user.api)
    body = {
        "conversation_id": other.conversation,
        "messages": [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}],
    }
    seen: set[int] = set()

    def ask(method: str, path: str, **request: Any) -> httpx.Response:
        answer = user.api.request(method, path, **request)
        seen.add(answer.status_code)
        return answer

    def has_come_back() -> bool:
        status = ask("GET", f"/api/v1/memory/ops/{operation}")
        recorded = ask("POST", "/api/v1/messages", json=body, headers={"Idempotency-Key": other.id})
        return recorded.status_code == 201 and status.status_code == 200 and status.json()["status"] == "succeeded"

    with killed(stack, "postgres"):
        wait_for(has_come_back, seconds=60, what="the verified forget")
    assert seen <= {200, 201, 503}
    found = user.api.get("/api/v1/messages", params={"conversation_id": other.conversation}).json()
    assert [message["content"] for message in found] == ["hello", "hi"]
    assert user.memories() == []


def test_a_forget_does_not_succeed_while_milvus_times_out_and_does_when_it_answers(stack: Stack, user: User) -> None:
    user.say()
    wait_for(user.is_remembered, seconds=30, what="remembering")
    with hanging(stack, "milvus"):
        operation = user.forget_everything()

        def shown() -> dict[str, Any]:
            found = user.api.get(f"/api/v1/memory/ops/{operation}").json()
            assert found["status"] in {"pending", "running"}
            return {step["name"]: step for step in found["steps"]}

        wait_for(
            lambda: (shown()["milvus"]["last_error"] or "").startswith("milvus_unavailable"),
            seconds=30,
            what="the step's saying why it waits",
        )
        assert shown()["postgres"]["status"] == "succeeded"
        assert user.memories() == []
    wait_for(lambda: user.succeeded(operation), seconds=60, what="the verified forget")
