"""What is checked: answers against the model, PostgreSQL and the stores against what was forgotten."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import psycopg

from shared.ledger.rules import Entry, Tampered, check_chain
from tests.chaos.model import Conversation, Message, Person
from tests.chaos.statements import canaries
from tests.support.relations import OUR_TABLES


class Violated(Exception):
    """An invariant does not hold. Its text names ids and counts, never what anybody said."""

    def __init__(self, invariant: str, detail: str) -> None:
        super().__init__(f"{invariant}: {detail}")
        self.invariant = invariant


def check_messages(conversation: Conversation, answer: list[dict[str, Any]], *, newest: int) -> None:
    """A conversation shows exactly its messages that were not forgotten, with their words."""
    shown = {one["id"]: one["content"] for one in answer}
    standing = [message for message in conversation.messages() if not message.forgotten][-newest:]
    expected = {message.id: message.statement.text for message in standing}
    if lost := expected.keys() - shown.keys():
        raise Violated("nothing-else-lost", f"{len(lost)} messages of a conversation are missing")
    if more := shown.keys() - expected.keys():
        raise Violated("unrecallable", f"{len(more)} forgotten messages are shown")
    if shown != expected:
        raise Violated("nothing-else-lost", "a message changed its words")


def check_memories(person: Person, answer: list[dict[str, Any]], *, settled: bool) -> None:
    """Memories come from what stands; when all work is done each that must be there is, exactly once."""
    by_id = {message.id: message for message in person.messages()}
    merged = {one.text: one for one in person.merged}
    counted: Counter[Message] = Counter()
    for memory in answer:
        if memory["content"] in merged:
            if not merged[memory["content"]].stands:
                raise Violated("unrecallable", "a memory is shown that was worded from forgotten messages")
            continue
        sources = [by_id.get(source["message_id"]) for source in memory["sources"]]
        if len(sources) != 1 or sources[0] is None:
            raise Violated("unrecallable", f"a memory is shown whose {len(sources)} sources nobody can read")
        message = sources[0]
        # What the real reader takes a question for is measured elsewhere.
        if message.statement.learned and not person.may_be_learned(message):
            raise Violated("unrecallable", f"a memory of a forgotten or deleted statement is shown ({memory['id']})")
        if memory["content"] != message.statement.text:
            raise Violated("nothing-else-lost", "a memory changed its words")
        counted[message] += 1
    if any(count > 1 for count in counted.values()):
        raise Violated("nothing-else-lost", "a statement was remembered twice")
    if settled:
        missing = [one for one in person.messages() if person.must_be_learned(one) and not counted[one]]
        if missing:
            ids = ", ".join(message.id for message in missing[:3])
            raise Violated("nothing-else-lost", f"{len(missing)} statements are not remembered ({ids})")


def check_episodes(conversation: Conversation, answer: list[dict[str, Any]], *, settled: bool) -> None:
    """Episodes show whole turns that stand; when all work is done each such turn has one."""
    by_id = {message.id: message for message in conversation.messages()}
    counted: Counter[int] = Counter()
    for episode in answer:
        ids = [one for one in (episode["user_message_id"], episode["assistant_message_id"]) if one]
        known = [by_id.get(one) for one in ids]
        if not known or any(message is None or message.turn.lost for message in known):
            raise Violated("unrecallable", "an episode of a turn that lost a message is shown")
        counted[id(known[0].turn)] += 1  # type: ignore[union-attr]
    if any(count > 1 for count in counted.values()):
        raise Violated("nothing-else-lost", "a turn became two episodes")
    if settled and (missing := [one for one in conversation.turns if one.derivable and not counted[id(one)]]):
        named = ", ".join(one.messages[0].id for one in missing[:3])
        raise Violated("nothing-else-lost", f"{len(missing)} turns did not become episodes ({named})")


def check_says_nothing_forgotten(person: Person, answer: Any, where: str) -> None:
    """No answer holds the canary of a forgotten message."""
    forgotten = {message.statement.canary for message in person.messages_of_the_name() if message.forgotten}
    if said := canaries(json.dumps(answer, ensure_ascii=False)) & forgotten:
        raise Violated("unrecallable", f"{where} shows {len(said)} forgotten statements")


def tables_holding(connection: psycopg.Connection[Any], wanted: set[str]) -> dict[str, int]:
    """Return which tables of PostgreSQL hold which number of these canaries."""
    found: dict[str, int] = {}
    tables = connection.execute(OUR_TABLES).fetchall()
    for (table,) in tables:
        rows = connection.execute(f'select t::text from "{table}" t'.encode()).fetchall()
        if said := canaries("\n".join(row[0] for row in rows)) & wanted:
            found[str(table)] = len(said)
    return found


def check_stores(
    connection: psycopg.Connection[Any],
    collections: dict[str, list[tuple[str, str, str]]],
    *,
    forgotten_canaries: set[str],
    forgotten_ids: set[str],
    only_forgotten: bool,
    strays: AbstractSet[str] = frozenset(),
    lost: AbstractSet[str] = frozenset(),
) -> None:
    """No row outside PostgreSQL holds anything forgotten; when all work is done each belongs to a visible item.

    Args:
        forgotten_ids: of messages; an episode's row names those it was made from.
        only_forgotten: leave out what is checked when all work is done.
        strays: keys to pass over, because nobody could announce them.
        lost: keys not to look for.
    """
    visible = {str(row[0]) for row in connection.execute("select pk from visible_vectors").fetchall()}
    for name, rows in collections.items():
        for key, _namespace, text in rows:
            if key in strays:
                continue
            if canaries(text) & forgotten_canaries:
                raise Violated("verified", f"{name} holds a forgotten statement")
            if forgotten_ids and any(one in forgotten_ids for one in _uuids(text)):
                raise Violated("verified", f"{name} names a forgotten message")
        if only_forgotten or name == "mem0_entities":
            continue
        if orphans := {key for key, _, _ in rows} - visible - strays:
            raise Violated("verified", f"{name} holds {len(orphans)} keys without a visible item ({min(orphans)})")
    if not only_forgotten:
        stored = {key for rows in collections.values() for key, _, _ in rows}
        if missing := visible - stored - lost:
            raise Violated("nothing-else-lost", f"{len(missing)} visible items have no vector")


def _uuids(text: str) -> list[str]:
    return [part for part in text.replace('"', " ").replace("[", " ").replace("]", " ").split() if len(part) == 36]


def check_event_log(connection: psycopg.Connection[Any]) -> None:
    """Versions of each stream are 1, 2, 3 …"""
    gaps = connection.execute(
        """
        select split_part(stream, ':', 1) as kind, low, high, n
        from (select stream, count(*) as n, min(version) as low, max(version) as high
              from events group by stream) as s
        where low <> 1 or high <> n
        """
    ).fetchall()
    if gaps:
        told = ", ".join(f"{kind} has {n} events from {low} to {high}" for kind, low, high, n in gaps)
        raise Violated("event-log", f"streams have gaps: {told}")
    twice = connection.execute(
        """
        select count(*) from (select stream from events where type = 'OperationSucceeded' group by stream
                              having count(*) > 1) as s
        """
    ).fetchone()
    if twice and twice[0]:
        raise Violated("event-log", f"{twice[0]} operations succeeded twice")


def check_traits(connection: psycopg.Connection[Any], forgotten_ids: set[str]) -> None:
    """Nothing rests on what was forgotten, and no behavior on less than three pieces of evidence."""
    resting = connection.execute(
        "select count(*) from trait_observations where source_id::text = any(%s)", (list(forgotten_ids),)
    ).fetchone()
    if resting and resting[0]:
        raise Violated("traits", f"{resting[0]} observations rest on what was forgotten")
    unsupported = connection.execute(
        """
        select count(*) from (
          select t.id from traits t left join trait_evidence e on e.trait_id = t.id and e.side = 'supporting'
            left join trait_observations o on o.id = e.observation_id
          where t.subtype = 'behavior' and t.stage not in ('trend', 'candidate', 'dissolved')
          group by t.id having count(o.id) < 3) as s
        """
    ).fetchone()
    if unsupported and unsupported[0]:
        raise Violated("traits", f"{unsupported[0]} behaviors have less than three pieces of evidence")


def check_closed_once(connection: psycopg.Connection[Any]) -> None:
    """Nobody closed a step that another one had closed: a lost lease closes nothing."""
    again = connection.execute("select count(*) from chaos_closed_again").fetchone()
    if again and again[0]:
        raise Violated("lease", f"{again[0]} steps were closed twice")


def check_ledger(
    connection: psycopg.Connection[Any],
    file: Sequence[Entry],
    proven: set[str],
    *,
    concern_nothing: AbstractSet[str] = frozenset(),
    restored: bool = False,
) -> None:
    """The chain holds in database and file, and says of each proven forget that it was accepted and verified.

    Args:
        concern_nothing: forgets of what no restored backup held; they are named, too.
        restored: whether a backup was, so that some were done more than once.
    """
    columns = "seq, op_id::text, kind, run, prev_hash, hash"
    rows = connection.execute(f"select {columns} from ledger order by seq".encode()).fetchall()
    try:
        check_chain(file)
    except Tampered as tampered:
        raise Violated("ledger", "the chain of the file is broken") from tampered
    written = [(one.seq, str(one.op_id), one.kind, one.run, one.prev_hash, one.hash) for one in file]
    if written != [(*row[:4], bytes(row[4]), bytes(row[5])) for row in rows]:
        raise Violated("ledger", f"the file says {len(written)} entries, the database {len(rows)}, or others")
    lines = Counter((op_id, kind, run) for _, op_id, kind, run, _, _ in rows)
    if twice := [op_id for (op_id, _, _), number in lines.items() if number > 1]:
        raise Violated("ledger", f"{len(twice)} forgets have the same entry twice ({min(twice)})")
    if (named := {op_id for op_id, _, _ in lines} - concern_nothing) != proven:
        raise Violated("ledger", f"{len(named)} forgets are named for {len(proven)} proven ones")
    if not restored and (again := [op_id for op_id, _, run in lines if run]):
        raise Violated("ledger", f"{len(again)} entries speak of a restore that never was")
    for op_id in sorted(proven):
        runs = {kind: max((run for one, of, run in lines if (one, of) == (op_id, kind)), default=-1) for kind in KINDS}
        if not 0 <= runs["accepted"] <= runs["verified"]:
            raise Violated("ledger", f"{op_id} was accepted and verified in runs {runs}")


KINDS = ("accepted", "verified")

READ_MODELS = {
    "memories": """id, subject_id, generation, content_type, scope, project_id, origin, importance, taboo, disabled,
      confirmed, supersedes, conversation_id, spoken_at, version""",
    "user_settings": """subject_id, summary_enabled, episodic_enabled, longterm_enabled, injection_enabled,
      preference_learning_enabled, privacy_mode_enabled, preference_learning_threshold, traits_enabled,
      time_zone, version""",
    "traits": """id, subject_id, generation, trait_key, subtype, stage, base_confidence, context, first_observed,
      last_reinforced, reinforcement_count, contradiction_count, confirmed_at, chosen_context""",
}


def read_models(connection: psycopg.Connection[Any]) -> dict[str, list[Any]]:
    """Return the read models as they are, in one order."""
    return {
        table: connection.execute(f"select {columns} from {table} order by 1".encode()).fetchall()
        for table, columns in READ_MODELS.items()
    }
