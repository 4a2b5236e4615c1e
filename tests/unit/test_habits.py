"""What messages show of their writers: whose words count, and which matters show nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from shared.language.habits import HabitsRead, read_habits
from shared.language.port import Habit
from shared.language.reader.habits import pieces
from shared.language.sensitivity.special import special_categories


class Sure:
    """A reader that is sure of one behavior, whatever it reads; it notes what it was given."""

    def __init__(self, *found: Habit) -> None:
        self.found = list(found) or [Habit("compares-prices", 0.9, "told", "general")]
        self.given: list[str] = []

    def habits(self, text: str) -> Sequence[Habit]:
        self.given.append(text)
        return self.found


def read(text: str, reader: Sure | None = None) -> HabitsRead:
    return read_habits(text, reader or Sure())  # type: ignore[arg-type]  # only habits are asked


def test_what_is_quoted_or_played_is_not_read() -> None:
    reader = Sure()
    read('She said "I always compare prices" and left. What is a good kettle?', reader)
    assert "compare prices" not in reader.given[0]
    played = Sure()
    assert read("Pretend you are a banker who compares every price.", played) == HabitsRead()
    assert played.given == []


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("I compare prices because I am in debt, which kettle is cheapest?", "finances"),
        ("因为糖尿病我每天走路上班，哪双鞋好？", "health"),
        ("I plan every Sunday around church, what can I cook before?", "religion"),
        ("After the election I write everything down.", "politics"),
        ("My kids are asleep, so I tidy now.", "minors"),
    ],
)
def test_a_message_that_names_a_sensitive_matter_shows_nothing(text: str, category: str) -> None:
    found = read(text)
    assert found.habits == ()
    assert category in found.refused


@pytest.mark.parametrize(
    "text",
    [
        "I looked at four shops before I bought the tent.",
        "周末把书架按高矮重新排了一遍。",
        "Came out of the shop with a kayak.",
    ],
)
def test_plain_habits_name_no_sensitive_matter(text: str) -> None:
    assert special_categories(text) == []


def test_what_the_reader_doubts_does_not_count() -> None:
    assert read("Which kettle?", Sure(Habit("compares-prices", 0.3, "told", "general"))) == HabitsRead()


def test_each_sentence_of_a_longer_message_is_read_too_and_there_is_a_bound() -> None:
    assert pieces("One thing only") == ["One thing only"]
    whole = "The meeting is at nine. I want the numbers first. Add an item."
    assert pieces(whole) == [whole, "The meeting is at nine.", "I want the numbers first.", "Add an item."]
    assert len(pieces("This is one of them. " * 500)) == 7
