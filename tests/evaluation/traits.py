"""What is inferred about people, judged on whole lives: `make eval-traits [DATA=file]`.

Each person lives through their sessions on PostgreSQL and with the bundled reader, by the functions that the product's
workers call; only the clock is given. Without DATA the people are made by `tests.evaluation.personas`, and those of the
authors in `data/people` are added. Prints one line, `EVAL_TRAITS {…}`; the file's form and the scoring are described in
`data/people/README.md`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, Self
from uuid import UUID

from shared.consent.change_settings import change_settings
from shared.consent.rules.policy import Terms
from shared.conversations.end_session import end_session
from shared.conversations.open import open_conversation
from shared.conversations.record import Draft, record_messages
from shared.items import register_kinds
from shared.kernel import subjects
from shared.kernel.database import Database, Transaction
from shared.language.habits import read_habits
from shared.language.port import Habit, Readings
from shared.preferences.give_feedback import Feedback, give_feedback
from shared.runtime import logging
from shared.traits.catalogue import catalogue
from shared.traits.observe import as_shown, observe, observe_conversation, observe_notes
from shared.traits.reflect import reflect
from shared.traits.sql import evidence, traits
from shared.traits.sql.notes import Note
from shared.traits.sql.observations import Source
from tests.evaluation import authors, personas, traits_by_rules
from tests.evaluation.bundled import bundled
from tests.evaluation.lives import Life, Score, Seen, last_day
from tests.support.backing import backing_servers


def taught() -> list[str]:
    """Return whose sentences the reader of habits learned from."""
    return [one for one in authors.authors("habits.txt") if one not in authors.TESTED_ONLY | authors.CHOSEN_BY]


PEOPLE: Final = Path(__file__).with_name("data") / "people"


def play(database: Database, readings: Readings, person: Mapping[str, Any]) -> Life:
    """Let a person live through their sessions and reflect on each day between them."""
    terms = Terms()
    life = Life(person)
    user_id = str(person["id"])
    zone = {"time_zone": person["time_zone"]} if person["time_zone"] else {"traits_enabled": True}
    database.transact(lambda tx: change_settings(tx, user_id, zone, terms=terms, actor="person"))
    subject = database.transact(lambda tx: subjects.find_or_create(tx, user_id))
    sessions = sorted(person["sessions"], key=lambda one: datetime.fromisoformat(one["at"]))
    last = last_day(person)
    day = datetime.fromisoformat(sessions[0]["at"]).astimezone(UTC).date()
    waiting = list(sessions)
    while day <= last.astimezone(UTC).date():
        while waiting and datetime.fromisoformat(waiting[0]["at"]).astimezone(UTC).date() <= day:
            session = waiting.pop(0)
            end = _session(database, readings, subject.id, session, terms, life)
            _reflect(database, subject.id, end, terms)
        _reflect(database, subject.id, datetime.combine(day, datetime.max.time(), UTC), terms)
        life.days[day] = database.transact(lambda tx: _seen(tx, subject.id))
        day += timedelta(days=1)
    life.evidence = database.transact(lambda tx: _evidence(tx, subject.id))
    return life


def _session(
    database: Database, readings: Readings, subject_id: UUID, session: Mapping[str, Any], terms: Terms, life: Life
) -> datetime:
    """Play a session; return the time of its end."""
    at = datetime.fromisoformat(session["at"])
    subject = database.transact(lambda tx: subjects.read(tx, subject_id))
    assert subject is not None
    conversation = database.transact(
        lambda tx: open_conversation(
            tx, str(subject.user_id), project_id=session["project"], title=None, actor="person"
        )
    )
    answer: UUID | None = None
    for turn in session["turns"]:
        drafts = [Draft(role="user", content=turn["user"], spoken_at=at)]
        if turn.get("assistant"):
            drafts.append(Draft(role="assistant", content=turn["assistant"], spoken_at=at))
        recorded = database.transact(
            lambda tx, drafts=drafts: record_messages(  # type: ignore[misc]
                tx, subject, conversation, drafts, terms=terms, actor="person"
            )
        )
        answer = recorded[-1].id
        read = read_habits(turn["user"], readings)
        life.refused += len(read.refused)
        source = Source(kind="message", id=recorded[0].id, conversation_id=conversation, at_seq=1, at=at)
        shown = as_shown(source, read.habits, project=session["project"] is not None)
        database.transact(lambda tx, shown=shown: observe(tx, subject, shown))  # type: ignore[misc]
        at += timedelta(minutes=1)
    notes: list[tuple[Note, Any]] = []
    for given in session.get("feedback", ()):
        kept = database.transact(
            lambda tx, given=given: give_feedback(  # type: ignore[misc]
                tx,
                subject.user_id or "",
                Feedback(message_id=answer, action=given["action"], reason_text=given["note"]),
                terms=terms,
                actor="person",
            )
        )
        source = Source(kind="feedback", id=kept.feedback_id, conversation_id=conversation, at_seq=1, at=at)
        read = read_habits(given["note"], readings)
        life.refused += len(read.refused)
        notes.append((Note(source=source, text=given["note"], project=False), read.habits))
    if notes:
        database.transact(lambda tx: observe_notes(tx, subject.id, notes, terms=terms))
    database.transact(lambda tx: end_session(tx, subject, conversation, actor="person"))
    database.transact(lambda tx: observe_conversation(tx, subject_id, conversation, terms=terms))
    return at


def _reflect(database: Database, subject_id: UUID, at: datetime, terms: Terms) -> None:
    database.transact(lambda tx: reflect(tx, subject_id, trigger="session", terms=terms, now=at))


def _seen(tx: Transaction, subject_id: UUID) -> list[Seen]:
    found = traits.page(tx, subject_id, limit=200)
    pieces = evidence.evidence(tx, [one.id for one in found])
    return [
        Seen(
            key=one.trait_key,
            subtype=one.subtype,
            stage=one.stage,
            confidence=one.confidence or 0.0,
            context=one.context,
            contexts={label: key for label, (key, _) in one.contexts.items()},
            occasions=len({piece.conversation_id or piece.source_id for piece in pieces.get(one.id, ())}),
            told=one.used,
        )
        for one in found
    ]


def _evidence(tx: Transaction, subject_id: UUID) -> list[tuple[str, str]]:
    rows = tx.rows(
        """
        select distinct o.trait_key, m.text from visible_trait_observations o
        join visible_messages m on o.source_kind = 'message' and m.id = o.source_id
        where o.subject_id = :subject
        """,
        subject=subject_id,
    )
    return [(row["trait_key"], row["text"]) for row in rows]


def people_in(path: Path) -> list[dict[str, Any]]:
    """Return the people of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


class ReadOnce:
    """Reads each text once: the people of one group share their authors' sentences."""

    def __init__(self, readings: Readings) -> None:
        self._readings = readings
        self._known: dict[str, list[Habit]] = {}

    def habits(self, text: str) -> list[Habit]:
        if text not in self._known:
            self._known[text] = self._readings.habits(text)
        return self._known[text]


class Players:
    """Plays people in as many processes as there are cores; each has its own reader and its own connection.

    Args:
        url: of the database; None to play by the rules alone.
    """

    def __init__(self, url: str | None) -> None:
        self._pool = ProcessPoolExecutor(initializer=_open, initargs=(url,), mp_context=get_context("spawn"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def play(self, people: Iterable[Mapping[str, Any]], *, into: Score) -> tuple[Score, list[Life]]:
        """Play people and count them, also into a total."""
        score, lives = Score(), []
        for life in self._pool.map(_play, people):
            for one in (score, into):
                one.add(life, lambda key: catalogue()[key].parents)
            lives.append(life)
        return score, lives


_opened: list[tuple[Database | None, Readings]] = []
"""What a process of `Players` plays people with."""


def _open(url: str | None) -> None:
    register_kinds()
    logging.configure("error", "evaluation")
    database = None if url is None else Database(url, application="evaluation")
    _opened.append((database, ReadOnce(bundled())))  # type: ignore[arg-type]  # habits only


def _play(person: Mapping[str, Any]) -> Life:
    [(database, readings)] = _opened
    return traits_by_rules.play(readings, person) if database is None else play(database, readings, person)


def false_evidence(lives: Iterable[Life], why: Mapping[str, str]) -> Counter[str]:
    """Count the evidence of traits that were ever told which comes from lines that show nothing, by the reason."""
    found: Counter[str] = Counter()
    for life in lives:
        told = {
            key for seen in life.days.values() for one in seen if one.told for key in (one.key, *one.contexts.values())
        }
        found.update(why[text] for key, text in life.evidence if key in told and text in why)
    return found


def reasons(who: Iterable[str]) -> dict[str, str]:
    """Return why each line of these authors that shows nothing does not count."""
    return {one.text: str(one.why) for name in who for one in authors.habits(name) if one.form == "none"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "data", nargs="*", type=Path, help="files of people, instead of those that come with the product"
    )
    parser.add_argument("--people", type=int, default=100, help="how many are made of each group's sentences")
    parser.add_argument("--errors", action="store_true", help="also print what was wrong and what was missed, by trait")
    parser.add_argument("--rules", action="store_true", help="the people that are made by the rules alone, in minutes")
    given = parser.parse_args()
    held_out = sorted(authors.TESTED_ONLY & set(authors.authors("habits.txt")))
    groups: dict[str, Iterable[Mapping[str, Any]]] = {path.stem: people_in(path) for path in given.data}
    if not groups:
        groups = {
            "learned": personas.people(taught(), given.people, given.people // 4, seed=1),
            "held_out": personas.people(held_out, given.people, given.people // 4, seed=2),
            **({} if given.rules else {path.stem: people_in(path) for path in sorted(PEOPLE.glob("*.jsonl"))}),
        }
    why = reasons(authors.authors("habits.txt"))
    with ExitStack() as stack:
        url = None
        if not given.rules:
            folder = tempfile.TemporaryDirectory(prefix="memory-center-traits-", ignore_cleanup_errors=True)
            servers = stack.enter_context(backing_servers(Path(stack.enter_context(folder))))
            url = stack.enter_context(servers.cloned_database())
        players = stack.enter_context(Players(url))
        total, counted, figures = Score(), Counter[str](), dict[str, Any]()
        for name, people in groups.items():
            begun = time.monotonic()
            own = total if name in ("learned", "held_out") or given.data else Score()
            score, lives = players.play(people, into=own)
            print(name, json.dumps({**score.line(), "seconds": round(time.monotonic() - begun)}), flush=True)
            counted += false_evidence(lives, why)
            if name == "held_out":
                line = score.line()
                figures |= {"held_out_precision": line["precision"], "held_out_recall": line["recall"]}
            if given.errors:
                print("wrong", score.wrong.most_common(20), "missed", score.missed.most_common(20))
        figures = {**total.line(), **figures, "evidence_false": sum(counted.values()), **dict(counted)}
        print("EVAL_TRAITS " + json.dumps(figures), flush=True)


if __name__ == "__main__":
    main()
