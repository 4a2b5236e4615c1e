"""What goes of a text that says more than is meant, and what an answer repeats of it (X-06)."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import example, given
from hypothesis import strategies as st

from shared.domain.cuts import cut, merged, moved, touches
from shared.models.descriptions import Discourse, Known, Meant, Said, decide, understand
from tests.support.tables import each

NOW = datetime(2026, 11, 22, tzinfo=UTC)


def meant(ask: str, *turn: tuple[str, str]) -> list[Meant | None]:
    wish = understand(ask, NOW)
    return decide(wish, Known(wish), [Said(text=text, at=NOW, role=role) for role, text in turn])


def rest(ask: str, text: str) -> str:
    [found] = meant(ask, ("user", text))
    return text if found is None else cut(text, found.spans) if found.spans else ""


@each(
    ("ask", "text", "left"),
    [
        ("forget the Skoda", "I drive a Skoda and I can't stand karaoke.", "I can't stand karaoke."),
        ("forget my records", "I speak Danish and collect records.", "I speak Danish."),
        ("forget that I speak Danish", "I speak Danish and collect records.", "I collect records."),
        ("forget my nut allergy", "I'm allergic to nuts and live in Rome.", "I live in Rome."),
        ("forget Frank", "Hello! My cousin Frank called. I love jazz.", "Hello! I love jazz."),
        ("forget Frank", "I love jazz. My cousin Frank called.", "I love jazz."),
        ("forget Frank", "My cousin Frank called. OK!", ""),
        ("忘掉我住在哪里", "我住在厦门,在一家茶馆上班。", "我在一家茶馆上班。"),
        ("忘掉我不会游泳", "我会做木工,但是不会游泳。", "我会做木工。"),
        ("忘掉仓鼠", "我养了一只仓鼠, and I study law.", "I study law."),
    ],
)
def test_the_rest_reads_as_it_was_said(ask: str, text: str, left: str) -> None:
    assert rest(ask, text).strip() == left


def test_a_label_that_speaks_of_it_takes_the_whole_message() -> None:
    wish = understand("forget Frank", NOW)
    [found] = decide(wish, Known(wish), [Said(text="See you at noon.", at=NOW, label="Lunch with Frank")])
    assert found == Meant(codes=("label",))


def test_an_answer_that_repeats_what_goes_goes_too() -> None:
    user, answer = meant(
        "forget my parrot", ("user", "I have a parrot called Kiwi."), ("assistant", "Kiwi is a fine name!")
    )
    assert (user and user.spans, answer) == ((), Meant(codes=("answer",)))


def test_an_answer_to_something_else_stays() -> None:
    turn = (("user", "I have a parrot. What's the capital of Peru?"), ("assistant", "The capital of Peru is Lima."))
    _, answer = meant("forget my parrot", *turn)
    assert answer is None


def test_of_an_answer_only_what_repeats_it_goes() -> None:
    turn = (("user", "My code is AB-1234. I love jazz."), ("assistant", "I noted AB-1234. Jazz is wonderful."))
    _, answer = meant("forget AB1234", *turn)
    assert answer is not None
    assert cut(turn[1][1], answer.spans).strip() == "Jazz is wonderful."


@each(
    ("opening", "goes"),
    [
        ("She plays bridge.", True),
        ("Her flat is tiny.", True),
        ("她下周来。", True),
        ("It's raining again.", False),
        ("It rains.", False),
        ("It just poured all day.", False),
        ("It depends.", False),
        ("I like bridge.", False),
        ("My brother plays bridge.", False),
    ],
)
def test_a_message_that_begins_with_a_pronoun_goes_on_about_whom_the_one_before_was(opening: str, goes: bool) -> None:
    wish = understand("everything about Vera", NOW)
    talk = Discourse(wish, Known(wish))
    said = [Said(text=text, at=NOW) for text in ("My aunt Vera moved to Lisbon.", opening)]
    ok = Said(text="OK.", at=NOW, role="assistant")
    assert talk.decide([said[0], ok])[0] == Meant(codes=("name",))
    [found, _] = talk.decide([said[1], ok])
    assert (found is not None) == goes


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=5))
def test_what_is_cut_and_what_is_moved_fit_each_other(text: str, spans: list[tuple[int, int]]) -> None:
    inside = merged((min(a, len(text)), min(b, len(text))) for a, b in spans)
    left = cut(text, inside)
    kept = [place for place in range(len(text)) if not touches(place, place + 1, inside)]
    assert left == "".join(text[place] for place in kept)
    assert [left[moved(place, inside)] for place in kept] == [text[place] for place in kept]


@each("number", ["٤٤٧٢٩", "４４７２９", "४४७२९"])
def test_digits_of_any_script_are_one_number(number: str) -> None:
    wish = understand(f"everything about badge {number}", NOW)
    known = Known(wish)
    said = [Said(text="My badge is 44729.", at=NOW), Said(text=f"Badge {number} opens it.", at=NOW)]
    others = [Said(text="My badge is 44728.", at=NOW)]
    for one in [*said, *others]:
        known.learn(one)
    found = decide(wish, known, [*said, *others])
    assert [one is not None for one in found] == [True, True, False]


@given(st.text(max_size=400), st.text(max_size=80))
@example("", "٣")
def test_no_text_and_no_description_breaks_it(text: str, ask: str) -> None:
    wish = understand(ask, NOW)
    known = Known(wish)
    known.learn(Said(text=text, at=NOW))
    [found] = decide(wish, known, [Said(text=text, at=NOW)])
    if found is not None:
        assert merged(found.spans) == found.spans
        assert all(0 <= start < end <= len(text) for start, end in found.spans)
