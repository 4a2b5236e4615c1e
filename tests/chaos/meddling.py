"""What Milvus does behind the product's back: hold what nobody announced, lose what it should hold (X-07)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from tests.chaos.model import Message
from tests.chaos.statements import said_by

if TYPE_CHECKING:
    from tests.chaos.playing import Play

AT_ONCE = 3


def meddle(play: Play) -> None:
    """Plant orphans or lose copies; the next reconciliation must mend it."""
    if play.random.random() < 0.5:
        _lose(play)
    else:
        _plant(play)


def _lose(play: Play) -> None:
    """Delete rows of what may be read."""
    rows = (
        play.run.sql()
        .execute(
            """
            select store, namespace::text, pk::text from vector_refs
            where pk in (select pk from visible_vectors) and store in ('milvus', 'mem0') order by pk
            """
        )
        .fetchall()
    )
    for store, namespace, key in play.random.sample(rows, min(len(rows), AT_ONCE)):
        play.lost.add(key)
        play.run.tell("worker", "lose", store=store, namespace=namespace, key=key)
        play.run.counts.losses += 1
        play.run.note(f"{store} loses {key}")


def _plant(play: Play) -> None:
    """Insert rows nobody announced: as a late writer would, or a store that lost a delete it had acknowledged."""
    random_ = play.random
    namespaces = [row[0] for row in play.run.sql().execute("select namespace::text from subjects order by 1")]
    namespaces.append(str(uuid.UUID(int=random_.getrandbits(128), version=4)))
    erased = _erased(play)
    for _ in range(random_.randint(1, AT_ONCE)):
        message = random_.choice(erased) if erased and random_.random() < 0.7 else None
        text = message.statement.text if message else said_by("user", random_).text
        namespace = random_.choice(namespaces)
        if random_.random() < 0.5:
            key = str(uuid.UUID(int=random_.getrandbits(128), version=4))
            ids = [message.id] if message else [str(uuid.UUID(int=random_.getrandbits(128), version=4))]
            keys = play.run.tell("worker", "plant_episode", namespace=namespace, key=key, message_ids=ids, text=text)
        else:
            keys = play.run.tell("worker", "plant_memory", namespace=namespace, text=text)
        play.strays.update(keys)
        play.planted.update(keys)
        play.out_of_reach.update(keys)
        play.run.counts.orphans += len(keys)
        play.run.note(f"orphans {keys} in {namespace}{' of ' + message.id if message else ''}")


def _erased(play: Play) -> list[Message]:
    """Return what is proven to be gone."""
    return [one for one in play.world.forgotten() if one.forgotten_by & play.world.seen_succeeded]
