"""Lets people have shown habits in what they said, whatever the reader made of it, and reflects on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, TypeAlias
from uuid import UUID

from services.cli.installation import running_database_url
from shared.consent.rules.policy import Terms
from shared.kernel import subjects
from shared.kernel.database import Database, Transaction
from shared.kernel.new_ids import new_id
from shared.traits.observe import observe
from shared.traits.reflect import reflect
from shared.traits.rules.types import Context, Form
from shared.traits.sql.observations import Shown, Source
from tests.browser.people import Person
from tests.e2e.conftest import Stack
from tests.support.milvus_servers import wait_until

Message: TypeAlias = dict[str, Any]
AGO: Final = timedelta(days=14)
DAYS_APART: Final = 3


@dataclass(frozen=True)
class Turn:
    """A turn of the sample that shows a habit, and where: by the numbers of its talk and in it."""

    talk: int
    number: int
    context: Context = "general"
    form: Form = "told"


LEARNED: Final = "learned"
"""What was learned from the feedback of the sample shows it."""
SHORT_ANSWERS: Final = "asks-short-answers"
SHORT_MESSAGES: Final = "writes-short-messages"
PLANS_TRIPS: Final = "plans-trips-in-detail"
HABITS: Final[Mapping[str, Sequence[Turn | Literal["learned"]]]] = {
    SHORT_ANSWERS: [Turn(0, 4, "personal"), Turn(2, 15, "personal"), LEARNED, Turn(1, 0, "work", "stated")],
    SHORT_MESSAGES: [
        Turn(0, 2, "personal"),
        Turn(2, 10, "personal"),
        Turn(2, 11, "personal"),
        Turn(2, 13, "personal"),
        Turn(1, 2, "work"),
    ],
    PLANS_TRIPS: [Turn(0, 1), Turn(2, 1, "personal"), Turn(2, 6, "personal"), Turn(2, 14, "personal")],
}
"""Two habits that make a preference, and one that is only forming: the same turns in every language."""

READ: Final = "delete from trait_observations where subject_id = :subject and trait_key = any(:keys)"
"""The reader may have been there first, less sure, or of another opinion."""


def impress(stack: Stack, person: Person) -> None:
    """Let somebody who has said the sample have shown habits, some days apart, and reflect on them now."""
    conversations = {one["title"]: one["id"] for one in person.get("/conversations", limit=200)}
    said = [_own_messages(person, conversations[talk.title]) for talk in person.sample.talks]
    [learned] = person.get("/memory/preferences")["learned_memory_ids"]
    url = running_database_url(stack.data_dir)
    assert url is not None
    database = Database(url, application="test")
    try:
        wait_until(
            lambda: not database.transact(lambda tx: _is_being_read(tx, person)),
            seconds=60,
            what="what was said to be learned from",
        )
        with database.begin() as tx:
            subject = subjects.find(tx, person.name)
            assert subject is not None
            began = datetime.now(UTC) - AGO
            shown = [
                _shown(key, shows, said, learned, at=began + timedelta(days=DAYS_APART * place))
                for key, all_of_it in HABITS.items()
                for place, shows in enumerate(all_of_it)
            ]
            tx.run(READ, subject=subject.id, keys=list(HABITS))
            observe(tx, subject, shown)
        with database.begin() as tx:
            reflect(tx, subject.id, trigger="session", terms=Terms())
    finally:
        database.close()


def _is_being_read(tx: Transaction, person: Person) -> bool:
    """Return whether something the person said is still to be learned from: a later reflection would count that too."""
    subject = subjects.find(tx, person.name)
    assert subject is not None
    return bool(
        tx.value(
            """
            select exists (select from outbox where subject_id = :subject
              and (state = 'leased' or state = 'ready' and available_at < now() + interval '2 s'))
            """,
            subject=subject.id,
        )
    )


def _shown(
    key: str, shows: Turn | Literal["learned"], said: Sequence[Sequence[Message]], learned: str, *, at: datetime
) -> Shown:
    if shows == LEARNED:
        source = Source(kind="memory", id=UUID(learned), conversation_id=None, at_seq=None, at=at)
        return Shown(id=new_id(), source=source, key=key, shows=True, form="told", context="general")
    message = said[shows.talk][shows.number]
    conversation, seq = UUID(message["conversation_id"]), message["seq"]
    source = Source(kind="message", id=UUID(message["id"]), conversation_id=conversation, at_seq=seq, at=at)
    return Shown(id=new_id(), source=source, key=key, shows=True, form=shows.form, context=shows.context)


def _own_messages(person: Person, conversation: str) -> list[Message]:
    """Return what somebody said in a conversation, oldest first."""
    messages = person.get("/messages", conversation_id=conversation, limit=200)
    return sorted((one for one in messages if one["role"] == "user"), key=lambda one: one["seq"])
