"""What people say in passing is remembered by the bundled reader's help, and compared."""

from __future__ import annotations

import pytest

from shared.language.embedding.bundled import EmbedderUnavailable, Unembeddable
from shared.language.reader.socket import SocketReadings
from tests.support.workbench import Person, Workbench

IN_PASSING = "fix the tone. btw we signed for the flat in Utrecht on friday"
DANGER = "can you redo it, kid two breaks out in hives if sesame comes near him"


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def says(ada: Person, *texts: str) -> None:
    """Say each in a conversation of its own, and let it be learned from."""
    for text in texts:
        ada.say(ada.conversation(), (text, "OK."))
        ada.bench.work()


def memories(ada: Person, **query: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = ada.get("/api/v1/memory/long_term", validity="active", **query)
    return found


def test_what_is_said_in_passing_is_remembered_with_its_quote(bench: Workbench, ada: Person) -> None:
    says(ada, IN_PASSING)
    [memory] = memories(ada)
    assert memory["content"] == "btw we signed for the flat in Utrecht on friday"
    assert bench.count("select count(*) from memories where method = 'reader'") == 1


def test_a_danger_in_passing_is_one_whatever_the_words(ada: Person) -> None:
    says(ada, DANGER)
    [memory] = memories(ada)
    assert (memory["content_type"], memory["taboo"]) == ("constraint", True)


def test_the_same_in_other_words_is_one_memory_supported_twice(bench: Workbench, ada: Person) -> None:
    says(ada, "our landlord puts the rent up to 1400 in May", "rent goes to 1400 from May, says the landlord")
    assert len(memories(ada)) == 1
    assert bench.count("select count(*) from lineage where edge = 'supported_by'") == 1


def test_other_numbers_are_never_the_same(ada: Person) -> None:
    says(ada, "our landlord puts the rent up to 1400 in May", "rent goes to 1450 from June, says the landlord")
    assert any("1450" in str(memory["content"]) for memory in memories(ada))


def test_what_is_no_longer_so_is_replaced_whatever_the_words(ada: Person) -> None:
    says(ada, "we signed for the flat in Utrecht", "we've got the contract for our place in Leiden now, Utrecht is off")
    [memory] = memories(ada)
    assert "Leiden" in str(memory["content"])


@pytest.mark.parametrize("text", ["Hello.", "thanks!", "Make it shorter", "How do I boil an egg?", "你好", "再短一点"])
def test_small_talk_teaches_nothing(ada: Person, text: str) -> None:
    says(ada, text)
    assert memories(ada) == []


def test_of_a_text_the_reader_dies_of_only_what_was_asked_for_is_kept(
    ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(_readings: SocketReadings, _question: str, _about: object) -> None:
        raise Unembeddable

    monkeypatch.setattr(SocketReadings, "_ask", dies)
    says(ada, "Remember that I live in Rome.", IN_PASSING)
    assert [memory["content"] for memory in memories(ada)] == ["I live in Rome."]


def test_while_the_reader_is_away_turns_wait_and_none_is_lost(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_away(_readings: SocketReadings, _question: str, _about: object) -> None:
        raise EmbedderUnavailable

    with monkeypatch.context() as patch:
        patch.setattr(SocketReadings, "_ask", is_away)
        ada.say(ada.conversation(), ("I live in Rome.", "OK."))
        bench.work_once()
        assert memories(ada) == []
    bench.hurry()
    bench.work()
    assert [memory["content"] for memory in memories(ada)] == ["I live in Rome."]
