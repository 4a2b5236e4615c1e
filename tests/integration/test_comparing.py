"""Which memories a new statement is compared with."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID, uuid4

import pytest

from shared.kernel import subjects
from shared.memories.sql.comparable import Comparable
from shared.stores.port import Hit
from tests.support.workbench import Person, Workbench
from workers.learner.comparing import Nearest, nearest

LONG_TERM = "/api/v1/memory/long_term"
TEXTS = ["I row.", "I swim.", "I cycle.", "I climb.", "I sail.", "I skate."]


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person("ada")


def compared(
    bench: Workbench,
    person: Person,
    scores: dict[str, float],
    *,
    text: str = "I run.",
    may_concern: Callable[[Comparable], bool] = lambda _: True,
) -> Nearest:
    """Return what a statement is compared with whose search found these texts, and a key of nothing."""
    with bench.database.begin() as tx:
        rows = tx.rows("select m.text, v.pk from visible_vectors v join visible_memories m on m.id = v.item_id")
        keys = {row["text"]: row["pk"] for row in rows}
        subject = subjects.find(tx, person.user_id)
        assert subject is not None
        hits = [Hit(key=uuid4(), score=1.0)]
        hits += [Hit(key=UUID(str(keys.get(said, uuid4()))), score=score) for said, score in scores.items()]
        return nearest(tx, subject.id, text, hits, project_id=None, may_concern=may_concern)


def test_the_few_nearest_that_may_concern_it_are_compared(bench: Workbench, ada: Person) -> None:
    ids = {text: ada.post(LONG_TERM, {"content": text})["id"] for text in TEXTS}
    bench.work()
    scores = {text: 0.9 - 0.01 * place for place, text in enumerate(TEXTS)}

    found = compared(bench, ada, scores)
    assert [memory.text for memory in found.memories] == TEXTS[:4]
    assert found.among == len(TEXTS)
    found = compared(bench, ada, scores, may_concern=lambda memory: memory.text != TEXTS[0])
    assert [memory.text for memory in found.memories] == TEXTS[1:5]
    found = compared(bench, ada, scores, text=TEXTS[5])
    assert [memory.text for memory in found.memories] == [
        *TEXTS[:4],
        TEXTS[5],
    ]  # a memory of exactly this text, however far
    assert [memory.text for memory in compared(bench, ada, {TEXTS[0]: 0.9, TEXTS[1]: 0.8}).memories] == TEXTS[:1]
    assert compared(bench, ada, {}) == Nearest()

    assert bench.api.delete(f"{LONG_TERM}/{ids[TEXTS[0]]}", headers=ada.headers).status_code == 202
    assert [memory.text for memory in compared(bench, ada, scores).memories] == TEXTS[
        1:5
    ]  # a forgotten memory takes no place
