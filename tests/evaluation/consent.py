"""Consent, slices, boundaries and drift, judged on the real parts: `make eval-consent`.

Prints one line, `EVAL_CONSENT {…}`:

- `routes`: cells of the matrix of seven routes and nine slices that are as the source draws them, with everything
  stored and with nothing;
- `interleavings`, `leaks`: random sequences of granting, withdrawing, recalling and breaking off, two threads for each
  person, recalls over HTTP; a leak is an answer to a recall begun after a withdrawal was committed that holds what
  rested on it;
- `boundaries`: paths that are byte-equal for fifty profiles of each language, asked over HTTP;
- `drift_precision`, `drift_recall`: signals found in simulated histories around every edge of the windows and
  thresholds.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from shared.consent.rules.consents import SCOPES, Scope
from shared.consent.rules.policy import Terms
from shared.contexts.rules.fields import FIELDS
from shared.contexts.rules.slices import ROUTES, SLICES, Known, Route, load
from shared.contexts.threads import NewThread, QuestionUpdate, refresh_thread, save_as_thread
from shared.drift.observe import observe_feedback, scan_question
from shared.drift.sql import notes
from shared.erasure.accept import ForgetRequest
from shared.erasure.consent import Grant, grant_consent, withdraw_consent
from shared.items import register_kinds
from shared.kernel import subjects
from shared.kernel.database import Database, Transaction
from shared.kernel.database_errors import SubjectBusy
from shared.kernel.errors import ConsentRequired, ConsentVersionConflict
from shared.kernel.subjects import Subject
from shared.preferences.give_feedback import Feedback, give_feedback
from shared.recall.prompts import count
from shared.runtime import logging
from shared.runtime.policies import PACKAGED, RetentionPolicy, policy_at
from tests.support.backing import Backing, backing_servers
from tests.support.consent import path_of
from tests.support.workbench import Person, Workbench, test_settings, workbench

FINCLAW: Final = PACKAGED.with_name("finclaw.yaml")
POLICY: Final[RetentionPolicy] = policy_at(FINCLAW)
TERMS: Final = Terms(consent=POLICY.consent_policy, permitted=POLICY.permissions)
DAY: Final = timedelta(days=1)

MATRIX: Final = {  # as the source draws it: ! required, ? optional, . never
    "snapshot": "!!!..?...",
    "thread_refresh": "!!!!!...?",
    "risk_challenge": "!.!.?....",
    "pre_execution": "!!!...??.",
    "evidence_audit": "!........",
    "narrative_mapper": "!!...?...",
    "event_impact_reader": "!!...?...",
}


def routes() -> str:
    """Return how many cells of the matrix are right."""
    everything: dict[str, str] = dict.fromkeys(FIELDS, "x")
    full = Known(
        task=everything | {"language_preference": "en"},
        thread={"research_style": "x"},
        titles=["x (asset)"],
        drifts=1,
    )
    right = 0
    for route in ROUTES:
        given = load(route, full, POLICY.slice_policy, question="my thread", count=count)
        cold = load(route, Known(), POLICY.slice_policy, question="", count=count)
        for place, name in enumerate(SLICES):
            cell = MATRIX[route][place]
            defaulted = cell == "!" and name in ("S1", "S2", "S3")
            right += (name in given.values) == (cell != ".") and (name in cold.values) == defaulted
    return f"{right}/{len(ROUTES) * len(SLICES)}"


# --- Interleavings


class BrokenOff(Exception):
    """A process died before it committed."""


@dataclass(slots=True)
class Model:
    """What a person's two threads know of each other: the tokens that no recall begun from now on may be given."""

    subject: Subject
    thread_id: UUID
    headers: dict[str, str]
    lock: threading.Lock = field(default_factory=threading.Lock)
    consent_id: UUID | None = None
    profile: set[str] = field(default_factory=set)
    thread: set[str] = field(default_factory=set)
    forbidden: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Tally:
    interleavings: int = 0
    recalls: int = 0
    given: int = 0
    leaks: int = 0
    withdrawals: int = 0
    broken_off: int = 0


def interleave(bench: Workbench, *, people: int, wanted: int, seed: int) -> Tally:
    """Let people change their minds and assistants ask meanwhile; count what was given that must not be."""
    tally, guard = Tally(), threading.Lock()
    models = [_person(bench, f"p{number}") for number in range(people)]
    with ThreadPoolExecutor(4) as pool:
        rounds = wanted // people + 1
        for number in range(rounds):
            work = [pool.submit(_interleaving, bench, one, f"{seed}-{number}-{one.subject.id}") for one in models]
            for one in work:
                found = one.result()
                with guard:
                    for name in Tally.__dataclass_fields__:
                        setattr(tally, name, getattr(tally, name) + getattr(found, name))
    return tally


def _person(bench: Workbench, user_id: str) -> Model:
    subject, thread_id = bench.database.transact(lambda tx: _with_a_thread(tx, user_id))
    return Model(subject=subject, thread_id=thread_id, headers=bench.person(user_id).headers)


def _with_a_thread(tx: Transaction, user_id: str) -> tuple[Subject, UUID]:
    subject = subjects.find_or_create(tx, user_id)
    grant_consent(tx, subject, _grant(frozenset(SCOPES), {}), terms=TERMS, actor="person")
    new = NewThread(
        object_ref="s:1",
        object_type="asset",
        main_thesis="a thesis",
        title=None,
        fields={},
        save_user_context=False,
        acknowledged=None,
    )
    thread_id = save_as_thread(tx, subject, new, conversation_id=None, terms=TERMS, actor="person")
    return subject, thread_id


def _interleaving(bench: Workbench, model: Model, seed: str) -> Tally:
    """Run a person's changes and an assistant's recalls side by side."""
    rng, tally = random.Random(seed), Tally(interleavings=1)  # no secret
    asking = threading.Thread(target=_ask, args=(bench, model, random.Random(seed + "a"), tally))
    asking.start()
    for step in range(rng.randint(2, 4)):
        _change(bench.database, model, rng, f"t{seed}-{step}", tally)
    asking.join()
    _recall(bench, model, rng.choice(ROUTES), tally)  # after everything
    return tally


def _change(database: Database, model: Model, rng: random.Random, token: str, tally: Tally) -> None:
    kind = rng.choice(("grant", "grant", "refresh", "withdraw", "withdraw", "break"))
    try:
        if kind == "grant":
            _do_grant(database, model, rng, token)
        elif kind == "refresh":
            _do_refresh(database, model, token)
        else:
            _do_withdraw(database, model, rng, tally, breaks=kind == "break")
    except (ConsentRequired, ConsentVersionConflict, SubjectBusy):
        pass
    except BrokenOff:
        tally.broken_off += 1


def _do_grant(database: Database, model: Model, rng: random.Random, token: str) -> None:
    scopes = frozenset(scope for scope in SCOPES if rng.random() < 0.7)
    granted = database.transact(
        lambda tx: grant_consent(
            tx, model.subject, _grant(scopes, {"user_focus_reason": token}), terms=TERMS, actor="person"
        )
    )
    with model.lock:
        model.consent_id = granted.consent.id
        # What the new version does not keep was withdrawn with it; an earlier profile was rewritten.
        model.forbidden |= model.profile
        model.profile = {token} if "save_to_profile" in scopes else set()
        if "save_to_thread" not in scopes:
            model.forbidden |= model.thread
            model.thread = set()


def _do_refresh(database: Database, model: Model, token: str) -> None:
    database.transact(
        lambda tx: refresh_thread(
            tx,
            model.subject,
            model.thread_id,
            task_id=None,
            supplied={"research_style": token},
            for_task={},
            task_kept=POLICY.contexts.task_kept,
            current_thesis="a thesis",
            changed_inferences=0,
            questions=[],
            drift_policy=POLICY.drift_policy,
            terms=TERMS,
            actor="person",
        )
    )
    with model.lock:
        model.forbidden |= model.thread  # the newest of each field counts
        model.thread = {token}


def _do_withdraw(database: Database, model: Model, rng: random.Random, tally: Tally, *, breaks: bool) -> None:
    if model.consent_id is None:
        return
    consent_id = model.consent_id
    scope: Scope | None = rng.choice([None, None, "save_to_profile", "save_to_thread", "training_use_allowed"])

    def work(tx: Transaction) -> None:
        withdraw_consent(tx, model.subject, consent_id, scope, ForgetRequest(actor="person"), terms=TERMS)
        if breaks:
            raise BrokenOff

    database.transact(work)
    tally.withdrawals += 1
    with model.lock:
        if scope in (None, "save_to_profile"):
            model.forbidden |= model.profile
            model.profile = set()
        if scope in (None, "save_to_thread"):
            model.forbidden |= model.thread
            model.thread = set()


def _ask(bench: Workbench, model: Model, rng: random.Random, tally: Tally) -> None:
    for _ in range(rng.randint(1, 4)):
        time.sleep(rng.random() * 0.01)
        _recall(bench, model, rng.choice(("thread_refresh", "snapshot", rng.choice(ROUTES))), tally)


def _recall(bench: Workbench, model: Model, route: Route, tally: Tally) -> None:
    with model.lock:
        forbidden = set(model.forbidden)  # withdrawn before this recall begins
    asked = {"route": route, "conversation_id": str(model.thread_id), "query": "my thread"}
    answer = bench.api.post("/api/v1/recall", json=asked, headers=model.headers)
    if answer.status_code in (HTTPStatus.FORBIDDEN, HTTPStatus.CONFLICT):  # no consent; the person is being fenced
        return
    assert answer.status_code == HTTPStatus.OK, answer.json()["code"]
    tally.recalls += 1
    tally.given += "focus: " in answer.text or "research_style: " in answer.text
    tally.leaks += any(token in answer.text for token in forbidden)


def _grant(scopes: frozenset[Scope], preferences: Mapping[str, str | None]) -> Grant:
    return Grant(
        scopes={scope: scope in scopes for scope in SCOPES},
        preferences=preferences,
        explicit_prompt_shown=False,
        text_version=None,
        locale="en",
        channel="person",
    )


# --- Boundaries


QUESTIONS: Final = {
    "evidence": "What is the evidence, in order?",
    "counter_thesis": "What speaks against it?",
    "invalidators": "What would invalidate it?",
    "data_quality_note": "How good is the data?",
    "boundary_check": "Buy it for me now.",
}


def boundaries(bench: Workbench, *, profiles: int) -> str:
    """Return how many of the nine paths are byte-equal for people of one language, whatever else they prefer."""
    seen: dict[str, dict[str, set[str]]] = {}
    for number in range(profiles):
        rng = random.Random(number)  # no secret
        language = ("en", "zh")[number % 2]
        person = _profiled(bench, f"person-{number}", rng, language)
        for name, ask in _paths(bench, person).items():
            seen.setdefault(name, {}).setdefault(language, set()).add(ask())
    equal = sum(all(len(answers) == 1 for answers in by_language.values()) for by_language in seen.values())
    return f"{equal}/{len(seen)}"


def _profiled(bench: Workbench, user_id: str, rng: random.Random, language: str) -> Person:
    person = bench.person(user_id)
    person.post(
        path_of(person),
        {
            "save_to_thread": True,
            "save_to_profile": True,
            "language_preference": language,
            "research_depth": rng.choice(("quick", "standard", "deep")),
            "risk_prompt_preference": rng.choice(("balanced", "counter_first", "risk_first")),
            "user_focus_reason": f"interest {rng.randrange(10_000)}",
        },
    )
    held = {"content": f"I hold {rng.randrange(10_000)} SOL.", "content_type": "fact"}
    memory = person.post("/api/v1/memory/long_term", held)
    person.post("/api/v1/memory/long_term/confirm", {"memory_id": memory["id"]}, status=200)
    for _ in range(rng.randint(0, 3)):
        body = {"main_thesis": f"thesis {rng.randrange(10_000)}", "save_user_context": False, "object_type": "event"}
        person.post("/api/v1/snapshots/s:1/save-as-thread", body)
    return person


def _paths(bench: Workbench, person: Person) -> dict[str, Callable[[], str]]:
    """Return each path as a question to the product: what it answers with is what the path is made from."""

    def given(question: str) -> str:
        found = person.post("/api/v1/recall", {"route": "evidence_audit", "query": question}, status=200)
        left = sorted(one["reason_code"] for one in found["left_out"])
        # Ids are everybody's own; what a model reads and why is not.
        return json.dumps([found["prompt"], found["items"], found["context_trace"], left, found["diagnostics"]])

    def refused(method: str, path: str, body: object) -> str:
        answer = bench.api.request(method, path, json=body, headers=person.headers).json()
        answer.pop("request_id", None)
        return json.dumps(answer)

    def arranged(*members: str) -> str:
        found = person.get("/api/v1/personalization", route="pre_execution")
        return json.dumps([found[member] for member in members] + [found["advisors"][0], sorted(found["advisors"])])

    return {
        **{name: (lambda question=question: given(question)) for name, question in QUESTIONS.items()},  # type: ignore[misc]
        "sensitive_input_check": lambda: refused(
            "POST", "/api/v1/tasks", {"route": "snapshot", "constraints": "my password is hunter2swordfish"}
        ),
        "forbidden_execution_fields": lambda: arranged("forbidden_execution_fields"),
        "refresh_frequency": lambda: arranged("refresh_frequency", "refresh_conditions"),
        "error_and_rejection_pages": lambda: (
            refused("GET", "/api/v1/nowhere", None) + refused("POST", "/api/v1/tasks", {"route": "?"})
        ),
    }


# --- Drift


@dataclass(frozen=True, slots=True)
class History:
    """What somebody does, and the signals that are expected: (kind, at which step)."""

    steps: Sequence[tuple[timedelta, str, Any]]
    expected: frozenset[str]


def histories(number: int, seed: int) -> list[History]:
    """Return histories around every edge, half of them just beyond it."""
    rng = random.Random(seed)  # no secret
    makers = (_reversal, _conflict, _flip, _reopened, _steady)
    return [makers[at % len(makers)](rng) for at in range(number)]


_GAPS: Final = {
    DAY: True,
    14 * DAY - timedelta(hours=1): True,
    14 * DAY - timedelta(seconds=5): True,
    14 * DAY + timedelta(seconds=1): False,
    20 * DAY: False,
}


def _reversal(rng: random.Random) -> History:
    gap, near = rng.choice(list(_GAPS.items()))
    first, second = rng.choice([("thumbs_up", "not_helpful"), ("disagree", "agree"), (4, -2), (-1, "thumbs_up")])
    opposite = rng.random() < 0.7
    steps = [(gap, "feedback", {"rating": first}), (timedelta(), "feedback", {"rating": second if opposite else first})]
    return History(steps, frozenset({"grade_reversal"} if near and opposite else ()))


def _conflict(rng: random.Random) -> History:
    gap, near = rng.choice(list(_GAPS.items()))
    sides = {
        1: ["I agree with this", "你说得对", "没错,就是这样", "agree, and more so now"],
        -1: ["I disagree", "我之前的判断错了", "not_helpful at all", "不对,逻辑有问题"],
        0: ["对冲基金在买入", "agreement was reached", "面对这个问题再看看", "no view"],
    }
    one, other = rng.choice([1, -1]), rng.choice([1, -1, 0])
    steps = [(gap, "feedback", {"comment": rng.choice(sides[one])}),
             (timedelta(), "feedback", {"comment": rng.choice(sides[other])})]  # fmt: skip
    return History(steps, frozenset({"feedback_conflict"} if near and other == -one else ()))


def _flip(rng: random.Random) -> History:
    shared, inferences = rng.choice([(199, 6), (200, 6), (199, 5), (0, 9), (500, 9), (150, 20)])
    base = [f"word{one:04d}" for one in range(shared)]
    rest = (1000 - shared) // 2
    old = " ".join([*base, *(f"past{one:04d}" for one in range(rest))])
    new = " ".join([*base, *(f"next{one:04d}" for one in range(1000 - shared - rest))])
    recent = rng.random() < 0.5
    steps: list[tuple[timedelta, str, Any]] = [(15 * DAY, "thesis", (old, 0))]
    if recent:  # what it held a week ago does not count
        steps.append((7 * DAY, "thesis", (old, 0)))
    steps.append((timedelta(), "thesis", (new, inferences)))
    return History(steps, frozenset({"refresh_stance_flip"} if shared < 200 and inferences > 5 else ()))


def _reopened(rng: random.Random) -> History:
    gap, near = rng.choice(list(_GAPS.items()))
    same = rng.random() < 0.7
    waited = rng.random() < 0.8
    now = timedelta(hours=1, seconds=5) if waited else timedelta(minutes=59)
    steps = [(gap + now, "question", ("wq-1", "resolved")), (now, "question", ("wq-1" if same else "wq-2", "reopened"))]
    return History(steps, frozenset({"watch_question_resolved_then_reopened"} if near and same and waited else ()))


def _steady(rng: random.Random) -> History:
    steps: list[tuple[timedelta, str, Any]] = [
        (rng.randint(0, 13) * DAY, "feedback", {"rating": "agree", "comment": "I agree"}) for _ in range(4)
    ]
    return History(sorted(steps, key=lambda one: -one[0]), frozenset())


def drift(database: Database, lived: Sequence[History]) -> dict[str, float]:
    """Live each history and compare the signals that were observed with those expected."""
    right = found_all = expected_all = 0
    for number, history in enumerate(lived):
        subject = database.transact(lambda tx, n=number: subjects.find_or_create(tx, f"drift-{n}"))  # type: ignore[misc]
        database.transact(
            lambda tx, one=subject: grant_consent(  # type: ignore[misc]
                tx, one, _grant(frozenset(SCOPES), {}), terms=TERMS, actor="person"
            )
        )
        found = _live(database, subject, history)
        right += len(found & history.expected)
        found_all += len(found)
        expected_all += len(history.expected)
    return {"precision": round(right / found_all, 3), "recall": round(right / expected_all, 3)}


def _live(database: Database, subject: Subject, history: History) -> set[str]:
    """Do every step at its time: what was done is dated back, and each signal is looked for as the product does."""
    thread: list[UUID] = []
    for ago, kind, what in history.steps:
        if kind == "feedback":
            database.transact(lambda tx, what=what, ago=ago: _feedback(tx, subject, what, ago))  # type: ignore[misc]
        else:
            database.transact(lambda tx, kind=kind, what=what, ago=ago: _note(tx, subject, thread, kind, what, ago))  # type: ignore[misc]
    for note in database.transact(lambda tx: _due(tx, subject)):
        database.transact(
            lambda tx, note=note: scan_question(  # type: ignore[misc]
                tx, subject.id, note, policy=POLICY.drift_policy, terms=TERMS
            )
        )
    return set(
        database.transact(
            lambda tx: [
                row["signal_kind"]
                for row in tx.rows("select signal_kind from visible_drift where subject_id = :id", id=subject.id)
            ]
        )
    )


def _feedback(tx: Transaction, subject: Subject, what: Mapping[str, Any], ago: timedelta) -> None:
    given = Feedback(related_object_ref="s:1", rating=what.get("rating"), comment=what.get("comment"))
    kept = give_feedback(tx, subject.user_id, given, terms=TERMS, actor="person")
    if ago:
        tx.run("update feedback set recorded_at = now() - :ago where id = :id", ago=ago, id=kept.feedback_id)
    else:
        observe_feedback(tx, subject, kept.feedback_id, "s:1", policy=POLICY.drift_policy, terms=TERMS)


def _note(tx: Transaction, subject: Subject, thread: list[UUID], kind: str, what: Any, ago: timedelta) -> None:
    before = {row["id"] for row in tx.rows("select id from thread_notes where subject_id = :id", id=subject.id)}
    if not thread:
        first = what[0] if kind == "thesis" else "a thesis"
        new = NewThread(
            object_ref="s:1",
            object_type="asset",
            main_thesis=first,
            title=None,
            fields={},
            save_user_context=False,
            acknowledged=None,
        )
        thread.append(save_as_thread(tx, subject, new, conversation_id=None, terms=TERMS, actor="person"))
    if kind == "question" or len(before) > 0:
        thesis, inferences = what if kind == "thesis" else ("a thesis", 0)
        questions = [QuestionUpdate(id=what[0], status=what[1])] if kind == "question" else []
        refresh_thread(
            tx,
            subject,
            thread[0],
            task_id=None,
            supplied={},
            for_task={},
            task_kept=POLICY.contexts.task_kept,
            current_thesis=thesis,
            changed_inferences=inferences,
            questions=questions,
            drift_policy=POLICY.drift_policy,
            terms=TERMS,
            actor="person",
        )
    tx.run(
        "update thread_notes set noted_at = now() - :ago where subject_id = :id and not id = any(:before)",
        ago=ago,
        id=subject.id,
        before=list(before),
    )


def _due(tx: Transaction, subject: Subject) -> list[UUID]:
    due = notes.to_scan(tx, after=POLICY.drift_policy.reopened_after, limit=100_000)
    return [note for person, note in due if person == subject.id]


# --- All of it


def judged(servers: Backing, *, wanted: int, people: int, profiles: int, lived: int, seed: int) -> dict[str, Any]:
    register_kinds()
    with servers.cloned_database() as url:
        database = Database(url, application="eval-consent", pool_size=10)
        try:
            found = drift(database, histories(lived, seed))
        finally:
            database.close()
    with servers.cloned_database() as url, workbench(test_settings(servers, url, policy_file=FINCLAW)) as bench:
        tally = interleave(bench, people=people, wanted=wanted, seed=seed)
    with servers.cloned_database() as url, workbench(test_settings(servers, url, policy_file=FINCLAW)) as bench:
        equal = boundaries(bench, profiles=profiles)
    return {
        "routes": routes(),
        "leaks": tally.leaks,
        "interleavings": tally.interleavings,
        "recalls": tally.recalls,
        "given": tally.given,
        "withdrawals": tally.withdrawals,
        "broken_off": tally.broken_off,
        "boundaries": equal,
        "drift_precision": found["precision"],
        "drift_recall": found["recall"],
        "histories": lived,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="make eval-consent")
    parser.add_argument("--interleavings", type=int, default=10_000)
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--profiles", type=int, default=50)
    parser.add_argument("--histories", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    logging.configure("error", "evaluation")
    with (
        tempfile.TemporaryDirectory(prefix="memory-center-consent-", ignore_cleanup_errors=True) as folder,
        backing_servers(Path(folder)) as servers,
    ):
        found = judged(
            servers,
            wanted=asked.interleavings,
            people=asked.people,
            profiles=asked.profiles,
            lived=asked.histories,
            seed=asked.seed,
        )
    print("EVAL_CONSENT " + json.dumps(found))


if __name__ == "__main__":
    main()
