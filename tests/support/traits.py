"""Lets people show habits, whatever the reader would make of their words, and reflects on them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from shared.consent.rules.policy import Terms
from shared.kernel import subjects
from shared.kernel.new_ids import new_id
from shared.traits.observe import observe
from shared.traits.reflect import Reflected, reflect
from shared.traits.rules.types import Context, Form
from shared.traits.sql.observations import Shown, Source
from tests.support.workbench import Person, Workbench

KEY = "compares-prices"
SENTENCE = "Compares prices before buying"
PIECES = (
    "Which of these three kettles is cheaper over a year?",
    "I looked at four shops for the tent, the second has it for less.",
    "Hold on with the bike, I want to see what the others ask for it.",
    "Two of the insurers sent their prices, put them side by side.",
)
ANSWER = "Fine."
BEGAN = datetime.now(UTC) - timedelta(days=20)


def show(
    bench: Workbench,
    person: Person,
    texts: Sequence[str] = PIECES,
    *,
    key: str = KEY,
    context: Context = "general",
    form: Form = "told",
    together: bool = False,
    first_day: int = 0,
    shows: bool = True,
) -> list[str]:
    """Say each text in a conversation of its own (or all in one), three days apart; return the message ids."""
    conversation = person.conversation()
    said: list[str] = []
    for place, text in enumerate(texts):
        where = conversation if together or not place else person.conversation()
        [(message, _)] = person.say(where, (text, ANSWER))
        said.append(message)
        source = Source(
            kind="message",
            id=UUID(message),
            conversation_id=UUID(where),
            at_seq=2 * place + 1 if together else 1,
            at=BEGAN + timedelta(days=first_day + 3 * place),
        )
        shown = Shown(id=new_id(), source=source, key=key, shows=shows, form=form, context=context)
        with bench.database.begin() as tx:
            subject = subjects.find(tx, person.user_id)
            assert subject is not None
            observe(tx, subject, [shown])
    return said


def reflected(bench: Workbench, person: Person, *, days: float | None = None) -> Reflected | None:
    """Reflect on a person, so many days after `BEGAN`, or now."""
    now = None if days is None else BEGAN + timedelta(days=days)
    with bench.database.begin() as tx:
        subject = subjects.find(tx, person.user_id)
        assert subject is not None
        return reflect(tx, subject.id, trigger="session", terms=Terms(), now=now)


def compares_prices(bench: Workbench) -> Person:
    """Return a person with one trait; `messages` are those that show it."""
    person = bench.person("ada")
    person.messages = show(bench, person)  # type: ignore[attr-defined]
    bench.work()
    reflected(bench, person)
    return person
