"""The lives of `tests.evaluation.traits` by the rules alone: no database, minutes instead of a quarter of an hour.

What is read of each message is counted by the same rules at the same times. Feedback, hours and what whole
conversations show are left out; people who are made have none. Confidence is that of each day, not that of the last
reflection that changed something.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

from shared.kernel.new_ids import new_id
from shared.language.habits import read_habits
from shared.language.port import Readings
from shared.traits.catalogue import vocabulary
from shared.traits.observe import as_shown, may_be_inferred
from shared.traits.rules.families import Family
from shared.traits.rules.parents import Parents
from shared.traits.rules.types import Cycle, Known, Observation
from shared.traits.sql.observations import Shown, Source
from tests.evaluation.lives import Life, Seen, last_day


def play(readings: Readings, person: Mapping[str, Any]) -> Life:
    """Let a person live through their sessions and reflect after each, and on each day."""
    life = Life(person)
    reflections: dict[date, list[Cycle]] = defaultdict(list)
    observed: dict[str, list[Observation]] = defaultdict(list)
    sessions = sorted(person["sessions"], key=lambda one: datetime.fromisoformat(one["at"]))
    for session in sessions:
        begun = datetime.fromisoformat(session["at"])
        cycle = Cycle(id=new_id(), at=begun + timedelta(minutes=len(session["turns"])))
        reflections[begun.astimezone(UTC).date()].append(cycle)
        for one, text in _observations(readings, session, cycle, life):
            observed[min(one.key, vocabulary()[one.key].opposite or one.key)].append(one)
            life.evidence.append((one.key, text))
    first, last = min(reflections), last_day(person).astimezone(UTC).date()
    for day in (first + timedelta(days=number) for number in range((last - first).days + 1)):
        reflections[day].append(Cycle(id=new_id(), at=datetime.combine(day, datetime.max.time(), UTC)))
    cycles = [cycle for day in sorted(reflections) for cycle in reflections[day]]
    known = Known(observations=[one for some in observed.values() for one in some], cycles=cycles, now=cycles[-1].at)
    by_id = {cycle.id: cycle for cycle in cycles}
    families = [Family(vocabulary(), key, observed[key], known, by_id) for key in sorted(observed)]
    parents = Parents(vocabulary(), known)
    for day in sorted(reflections):
        for cycle in reflections[day]:
            for family in families:
                family.reflect(cycle)
            parents.reflect(cycle, [child for family in families for child in family.children(cycle.at)])
        life.days[day] = list(_seen(families, parents, reflections[day][-1].at))
    life.evidence = sorted(set(life.evidence))
    return life


def _observations(
    readings: Readings, session: Mapping[str, Any], cycle: Cycle, life: Life
) -> Iterator[tuple[Observation, str]]:
    """Yield what the messages of a session show, each with its text."""
    conversation = new_id()
    at = datetime.fromisoformat(session["at"])
    for turn in session["turns"]:
        read = read_habits(turn["user"], readings)
        life.refused += len(read.refused)
        source = Source(kind="message", id=new_id(), conversation_id=conversation, at_seq=1, at=at)
        for shown in as_shown(source, read.habits, project=session["project"] is not None):
            if may_be_inferred(shown):
                yield _observation(shown, conversation, at, cycle), turn["user"]
        at += timedelta(minutes=1)


def _observation(shown: Shown, occasion: UUID, at: datetime, cycle: Cycle) -> Observation:
    return Observation(
        id=shown.id,
        key=shown.key,
        shows=shown.shows,
        form=shown.form,
        context=shown.context,
        occasion=occasion,
        at=at,
        sure=shown.sure,
        cycle=cycle.id,
    )


def _seen(families: list[Family], parents: Parents, now: datetime) -> Iterator[Seen]:
    made = [trait for family in families for _, trait in family.traits(now)]
    occasions = {one.id: one.occasion for family in families for life in family._lives.values() for one in life.items}
    for trait in [*made, *parents.traits(now).values()]:
        yield Seen(
            key=trait.key,
            subtype=trait.subtype,
            stage=trait.stage,
            confidence=trait.confidence or 0.0,
            context=trait.context,
            contexts={label: one.key for label, one in trait.contexts.items()},
            occasions=len({occasions[id_] for id_, _ in trait.supporting if id_ in occasions}),
            told=trait.present and not trait.overruled,
        )
