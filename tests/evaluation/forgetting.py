"""How well forgetting and correcting by description work on what independent authors wrote, on the real parts (X-06).

Every case is a person of their own who says what the case holds, or writes it down where it is to be corrected. Then
they ask: all that `forget/find` finds is forgotten, or one memory is corrected. Afterwards each piece that must go is
searched for with itself as the question, and every list a person can read is looked through; each that must stay must
still be in a memory or message.

    python -m tests.evaluation.forgetting [--errors] [AUTHOR...]

Without names those authors nothing was ever trained or chosen by; `--errors` prints what went wrong, never of those.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from shared.runtime import logging
from tests.evaluation import authors
from tests.evaluation.scoring import Case, share
from tests.support.backing import backing_servers
from tests.support.workbench import Person, Workbench, test_settings, workbench

AT_ONCE: Final = 12
"""So many people live side by side: the workers get batches, as they do from the scheduler."""
PATIENCE: Final = 20
"""How often the delay of a retry is hurried over before an operation counts as stuck."""


@dataclass(frozen=True, slots=True)
class View:
    """What a person, or an assistant that searches, can read: texts by where they were read."""

    places: dict[str, list[str]]

    def shows(self, text: str, *places: str) -> list[str]:
        """Return the places, of those named or all, where `text` can be read."""
        wanted = fold(text)
        return [place for place in places or self.places if any(wanted in fold(one) for one in self.places[place])]


@dataclass(frozen=True, slots=True)
class Judged:
    """One case with what went wrong in it, and what was found for its description."""

    case: Case
    wrong: tuple[str, ...]
    candidates: tuple[Any, ...] = ()

    @property
    def right(self) -> bool:
        """Whether nothing went wrong."""
        return not self.wrong


class Refused(Exception):
    """The API answered something else than the case needs."""


@dataclass
class Trial:
    """One case while it is lived through."""

    case: Case
    person: Person
    conversation: str
    before: View = field(default_factory=lambda: View({}))
    candidates: tuple[Any, ...] = ()
    operation: str | None = None
    refused: str | None = None


def fold(text: str) -> str:
    """Return the text without differences of case, width and spacing."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text).casefold())


def cases_of(author: str) -> list[Case]:
    """Return an author's requests as cases."""
    found: list[Case] = []
    for request in authors.requests(author):
        said = [{"content": text} for text in request.said]
        corrects = request.statement is not None
        found.append(
            {
                "id": request.id,
                "lang": request.language,
                "family": request.family,
                "kind": "correct" if corrects else "forget",
                "messages": [] if corrects else [{"role": "user", **one} for one in said],
                "memories": said if corrects else [],
                "ask": {"about": request.asked, "statement": request.statement} if corrects else request.asked,
                "forbidden": request.go,
                "kept": request.stay,
            }
        )
    return found


def judge(case: Case, before: View, after: View) -> list[str]:
    """Return in words what went wrong in a case; nothing when it is right.

    A case that was not remembered to begin with is wrong too: nothing would be shown by it.
    """
    if case["kind"] == "correct":
        return _judge_correction(case, before, after)
    asked = (*case["forbidden"], *case["kept"])
    return [
        *(f"was never there: {text}" for text in asked if not before.shows(text, "memories", "messages")),
        *(f"still in {', '.join(places)}: {text}" for text in case["forbidden"] if (places := after.shows(text))),
        *(f"lost: {text}" for text in case["kept"] if not after.shows(text, "memories", "messages")),
    ]


def _judge_correction(case: Case, before: View, after: View) -> list[str]:
    """Judge by the memories in force; what was said stays in the conversation, and a neighbour stays in force."""
    statement = case["ask"]["statement"].rstrip("。.")
    wrong = [f"was never in force: {text}" for text in case["forbidden"] if not before.shows(text, "in_force")]
    wrong += [f"still in force: {text}" for text in case["forbidden"] if after.shows(text, "in_force")]
    if not after.shows(statement, "in_force"):
        wrong.append(f"not in force: {statement}")
    for text in case["kept"]:
        where = before.shows(text, "in_force") or ["memories", "messages"]
        if not after.shows(text, *where):
            wrong.append(f"lost: {text}")
    return wrong


def score(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return the share of right cases, and the same by kind, language and family."""

    def by(label: str) -> dict[str, float]:
        values = sorted({one.case[label] for one in judged})
        return {value: _right([one for one in judged if one.case[label] == value]) for value in values}

    return {
        "pass": _right(judged),
        "cases": len(judged),
        "by_kind": by("kind"),
        "languages": by("lang"),
        "by_family": by("family"),
    }


def _right(judged: Sequence[Judged]) -> float:
    return round(share(sum(one.right for one in judged), len(judged)), 3)


def live(bench: Workbench, labelled: Sequence[Case]) -> Iterator[Judged]:
    """Let the person of every case say, ask, and look."""
    for start in range(0, len(labelled), AT_ONCE):
        trials = [_remembering(bench, case) for case in labelled[start : start + AT_ONCE]]
        bench.work()
        for trial in trials:
            trial.before = _view(trial)
            try:
                _ask(trial)
            except Refused as refusal:
                trial.refused = str(refusal)
        _settle(bench, trials)
        yield from (_judged(trial) for trial in trials)


def _remembering(bench: Workbench, case: Case) -> Trial:
    """Record what a case holds: every user message is answered, by the case's answer or by a plain one."""
    person = bench.person()
    trial = Trial(case, person, person.conversation())
    said: list[dict[str, Any]] = []
    for message in case["messages"]:
        if message["role"] == "user":
            _answer(said)
        said.append(message)
    _answer(said)
    if said:
        person.post("/api/v1/messages", {"conversation_id": trial.conversation, "messages": said})
    person.post(f"/api/v1/conversations/{trial.conversation}/session-end", {}, status=200)
    for memory in case["memories"]:
        person.post("/api/v1/memory/long_term", dict(memory))
    return trial


def _answer(said: list[dict[str, Any]]) -> None:
    if said and said[-1]["role"] == "user":
        said.append({**said[-1], "role": "assistant", "content": "OK."})


def _ask(trial: Trial) -> None:
    ask, user_id = trial.case["ask"], trial.person.user_id
    if trial.case["kind"] == "correct":
        _call(trial, "/api/v1/memory/long_term/correct", {"user_id": user_id, **ask}, status=200)
        return
    found = _call(trial, "/api/v1/memory/forget/find", {"user_id": user_id, "description": ask}, status=200)
    trial.candidates = tuple(found["candidates"])
    if found["nothing"] == "everything":
        everything = {"scope": "user", "user_id": user_id}
        trial.operation = _call(trial, "/api/v1/memory/forget", everything, status=202)["op_id"]
    elif trial.candidates:
        ids = [one["id"] for one in trial.candidates]
        selection = {"scope": "selection", "user_id": user_id, "token": found["token"], "ids": ids}
        trial.operation = _call(trial, "/api/v1/memory/forget", selection, status=202)["op_id"]


def _call(trial: Trial, path: str, body: dict[str, Any], *, status: int) -> Any:
    answer = trial.person.bench.api.post(path, json=body, headers=trial.person.headers)
    if answer.status_code != status:
        raise Refused(f"{path} answered {answer.status_code} {answer.text[:300]}")
    return answer.json()


def _settle(bench: Workbench, trials: Sequence[Trial]) -> None:
    """Let the workers finish; retries come as soon as they would after their delay."""
    bench.work()
    for _ in range(PATIENCE):
        if all(_status(trial) not in ("pending", "running") for trial in trials):
            return
        bench.hurry()
        bench.work()


def _status(trial: Trial) -> str:
    return "succeeded" if trial.operation is None else str(trial.person.operation(trial.operation)["status"])


def _judged(trial: Trial) -> Judged:
    if trial.refused:
        return Judged(trial.case, (trial.refused,), trial.candidates)
    if (status := _status(trial)) != "succeeded":
        return Judged(trial.case, (f"the operation is {status}",), trial.candidates)
    return Judged(trial.case, tuple(judge(trial.case, trial.before, _view(trial))), trial.candidates)


def _view(trial: Trial) -> View:
    """Read all there is, and search for every forbidden string."""
    person, where = trial.person, {"conversation_id": trial.conversation}
    memories = person.get("/api/v1/memory/long_term", limit=200)
    quotes = [source["quote"] or "" for memory in memories for source in memory["sources"]]
    episodes = person.get("/api/v1/memory/episodes", **where)
    return View(
        {
            "memories": [memory["content"] for memory in memories],
            "in_force": [memory["content"] for memory in memories if memory["validity"] != "superseded"],
            "quotes": quotes,
            "messages": [message["content"] for message in person.get("/api/v1/messages", **where)],
            "episodes": [turn[side] or "" for turn in episodes for side in ("user_message", "assistant_message")],
            "summary": [person.get("/api/v1/memory/summary", **where)["text"]],
            "search": [
                text
                for question in trial.case["forbidden"]
                for text in (*person.search(question, limit=50), *person.search(question, limit=50, **where))
            ],
        }
    )


@contextmanager
def _product() -> Iterator[Workbench]:
    """Open one installation on servers of its own."""
    with (
        tempfile.TemporaryDirectory(prefix="memory-center-forgetting-", ignore_cleanup_errors=True) as directory,
        backing_servers(Path(directory)) as servers,
        servers.cloned_database() as database_url,
        workbench(test_settings(servers, database_url)) as bench,
    ):
        yield bench


def _print_errors(judged: Sequence[Judged]) -> None:
    for one in judged:
        if one.right:
            continue
        print(f"\n{one.case['id']}  ask: {json.dumps(one.case['ask'], ensure_ascii=False)}")
        for text in (*one.case["messages"], *one.case["memories"]):
            print(f"    {text['content']}")
        for candidate in one.candidates:
            print(f"  found  {json.dumps(candidate, ensure_ascii=False)}")
        for wrong in one.wrong:
            print(f"  {wrong}")


def main() -> None:
    """Print `EVAL_FORGET {json}`: the figures of each author."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--errors", action="store_true", help="print what went wrong too")
    arguments.add_argument("who", nargs="*", default=sorted(authors.TESTED_ONLY & set(authors.authors("forget.txt"))))
    options = arguments.parse_args()
    if options.errors and authors.TESTED_ONLY & set(options.who):
        arguments.error("nobody reads what is only tested on")
    logging.configure("warning", "evaluation", stream=sys.stderr)
    figures: dict[str, Any] = {}
    with _product() as bench:
        for who in options.who:
            judged = list(live(bench, cases_of(who)))
            figures[who] = score(judged)
            print(who, figures[who]["pass"], figures[who]["by_kind"], flush=True)
            if options.errors:
                _print_errors(judged)
    print("EVAL_FORGET " + json.dumps(figures, ensure_ascii=False))


if __name__ == "__main__":
    main()
