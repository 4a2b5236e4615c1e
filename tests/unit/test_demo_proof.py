"""What the demo counts as forgotten, kept and proven; and that its script can be searched for at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.cli.demo.proof import (
    KEEPS_IDS,
    PLACES,
    Expected,
    Forgotten,
    Outcome,
    Place,
    Row,
    by_place,
    copies,
    count_copies,
    missing,
)
from services.cli.demo.script import ADA, LIN, STAYS_KNOWN, TALKS

MESSAGE, EPISODE, KEY = "0199-message", "0199-episode", "0199-key"
SECRET = Forgotten(canaries=frozenset({"Quillfeather", "青鸾"}), ids=frozenset({MESSAGE, EPISODE, KEY}))
NOTHING_OF_IT = [
    Row("PostgreSQL", "message_contents", "0199-other\nI prefer tea."),
    Row("Milvus", "episodes", '{"pk": "0199-another"}'),
    Row("mem0", "mem0_memories", '{"data": "I prefer tea."}'),
    Row("logs and files", "worker.log", "erasure.verified"),
]
DONE = Outcome(turns=16, memories=21, operations=3, proven=True)


def test_stores_without_a_copy_have_no_residue():
    assert count_copies(NOTHING_OF_IT, [SECRET]) == 0


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("word", ["my neighbour Quillfeather.", "卡号是青鸾八八二一。"])
def test_a_forgotten_word_is_residue_in_every_place(place: Place, word: str):
    assert copies([*NOTHING_OF_IT, Row(place, "anything", word)], SECRET) == [Row(place, "anything", word)]


@pytest.mark.parametrize(
    ("place", "part", "id_"),
    [
        ("PostgreSQL", "messages", MESSAGE),
        ("PostgreSQL", "lineage", EPISODE),
        ("PostgreSQL", "vector_refs", KEY),
        ("Milvus", "episodes", KEY),
        ("mem0", "mem0_memories", KEY),
    ],
)
def test_the_id_of_something_forgotten_is_residue_where_items_are(place: Place, part: str, id_: str):
    assert count_copies([Row(place, part, f"{id_}\n1")], [SECRET]) == 1


@pytest.mark.parametrize("part", sorted(KEEPS_IDS))
def test_a_table_that_may_keep_ids_may_not_keep_words(part: str):
    rows = [Row("PostgreSQL", part, MESSAGE), Row("PostgreSQL", part, f"{MESSAGE}\nQuillfeather")]
    assert copies(rows, SECRET) == rows[1:]


def test_a_log_may_name_ids_but_not_words():
    rows = [Row("logs and files", "worker.log", f"erased {MESSAGE}"), Row("logs and files", "worker.log", "青鸾")]
    assert copies(rows, SECRET) == rows[1:]


def test_a_row_that_holds_two_forgotten_things_counts_once():
    other = Forgotten(canaries=frozenset({"Balthazar"}))
    rows = [
        Row("PostgreSQL", "summary_contents", "Quillfeather and Balthazar"),
        Row("mem0", "mem0_memories", "Balthazar"),
    ]
    assert count_copies(rows, [SECRET, other]) == 2


def test_copies_are_counted_by_place():
    rows = [Row("PostgreSQL", "messages", MESSAGE), Row("PostgreSQL", "lineage", MESSAGE), *NOTHING_OF_IT]
    assert by_place(copies(rows, SECRET)) == {"PostgreSQL": 2}


def test_what_is_there_is_not_missing():
    wanted = [
        Expected("PostgreSQL", "message_contents", ("0199-other", "I prefer tea.")),
        Expected("Milvus", "episodes", ("0199-another",)),
    ]
    assert missing(NOTHING_OF_IT, wanted) == []


@pytest.mark.parametrize(
    "wanted",
    [
        Expected("PostgreSQL", "message_contents", ("0199-other", "I prefer coffee.")),
        Expected("PostgreSQL", "memory_contents", ("I prefer tea.",)),
        Expected("mem0", "mem0_entities", ("I prefer tea.",)),
        Expected("Milvus", "episodes", ("0199-gone",)),
    ],
    ids=["other words", "another table", "another collection", "another key"],
)
def test_what_is_elsewhere_or_otherwise_is_missing(wanted: Expected):
    assert missing(NOTHING_OF_IT, [wanted]) == [wanted]


def test_all_needles_must_stand_in_one_row():
    rows = [Row("mem0", "mem0_memories", "ada: I prefer tea."), Row("mem0", "mem0_memories", "lin: 我喜欢茶。")]
    swapped = Expected("mem0", "mem0_memories", ("ada", "我喜欢茶。"))
    assert missing(rows, [swapped]) == [swapped]


def test_a_complete_run_is_ok():
    assert DONE.ok
    assert DONE.summary(seconds=12.345) == {
        "ok": True,
        "turns": 16,
        "memories": 21,
        "operations": 3,
        "residue": 0,
        "lost": 0,
        "seconds": 12.3,
    }


@pytest.mark.parametrize(
    "flaw",
    [
        {"turns": 11},
        {"memories": 0},
        {"operations": 0},
        {"unfinished": 1},
        {"residue": 1},
        {"lost": 1},
        {"proven": False},
    ],
    ids=lambda flaw: next(iter(flaw)),
)
def test_any_flaw_is_not_ok(flaw: dict[str, int]):
    assert not replace(DONE, **flaw).ok


def test_the_script_is_long_enough_and_in_both_languages():
    turns = {person: sum(len(talk.turns) for talk in TALKS if talk.person is person) for person in (ADA, LIN)}
    assert sum(turns.values()) >= 14
    assert min(turns.values()) > 0
    assert len(TALKS) >= 4


def test_every_canary_stands_in_both_sides_of_its_turn_and_nowhere_else():
    turns = [turn for talk in TALKS for turn in talk.turns]
    for turn in turns:
        others = " ".join(f"{one.said} {one.answered}" for one in turns if one is not turn)
        assert turn.canary in turn.said
        assert turn.canary in turn.answered
        assert turn.canary not in others


def test_what_stays_known_was_said_in_both_conversations():
    theirs = [talk for talk in TALKS if talk.person is LIN]
    assert all(any(STAYS_KNOWN in turn.said for turn in talk.turns) for talk in theirs)
