"""The built-in responder: it answers from what is remembered, says so where nothing is, and never invents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.script import Language, language_of
from shared.recall.answering import Answer, Known, Page, answer, cited
from shared.recall.answering.kinds import wanted
from shared.recall.answering.words import PHRASES
from shared.recall.rules.items import Kind
from tests.evaluation.bundled import bundled
from tests.support.tables import each

REMEMBERED = {
    "peanuts": "I'm allergic to peanuts.",
    "虾": "我对虾过敏。",
    "penicillin": "I can't take penicillin.",
    "ex": "Don't mention my ex-husband.",
    "home": "I live in Zanzibar.",
    "work": "I work at the zoo.",
    "short": "I prefer short answers with code first.",
    "daughter": "My daughter Emma is six years old.",
    "cat": "My cat is called Miso.",
    "tea": "我喜欢绿茶。",
    "cousin": "My cousin Frank lives in Dayton.",
    "dentist": "My dentist appointment is on Tuesday at 3 pm.",
    "trip": "I'm planning a trip to Berlin in May.",
    "vegetarian": "I'm a vegetarian.",
    "guitar": "I play the guitar on weekends.",
    "sister": "我妹妹住在上海。",
    "birthday": "My birthday is on 3 March.",
    "boss": "My boss is called Lin.",
    "mother": "我妈妈六十岁了。",
    "run": "我每天早上跑步。",
}
SAFETY = {"peanuts", "虾", "penicillin", "ex"}
FOOD = {"peanuts", "虾", "vegetarian"}

ASKED: list[tuple[str, set[str]]] = [
    ("Where do I live?", {"home"}),
    ("我住在哪里？", {"home"}),
    ("What's my job?", {"work"}),
    ("我在哪儿上班？", {"work"}),
    ("What am I allergic to?", {"peanuts", "虾", "penicillin"}),
    ("我对什么过敏？", {"peanuts", "虾", "penicillin"}),
    ("What can I cook for dinner tonight?", FOOD),
    ("推荐一个晚餐食谱", FOOD),
    ("How old is my daughter?", {"daughter"}),
    ("我女儿多大了？", {"daughter"}),
    ("What is my cat called?", {"cat"}),
    ("我的猫叫什么名字？", {"cat"}),
    ("What tea do I like?", {"tea"}),
    ("我喜欢喝什么茶？", {"tea"}),
    ("Where does Frank live?", {"cousin"}),
    ("When is my dentist appointment?", {"dentist"}),
    ("Tell me about the Berlin trip", {"trip"}),
    ("去柏林的旅行是什么时候？", {"trip"}),
    ("Am I vegetarian?", {"vegetarian"}),
    ("我妹妹住在哪儿？", {"sister"}),
    ("Where does my sister live?", {"sister"}),
    ("When is my birthday?", {"birthday"}),
    ("我的生日是哪天？", {"birthday"}),
    ("Who is my boss?", {"boss"}),
    ("我妈妈多大年纪？", {"mother"}),
    ("How old is my mother?", {"mother"}),
    ("When do I run?", {"run"}),
    ("我什么时候跑步？", {"run"}),
    ("Which antibiotics can I take?", {"penicillin"}),
    ("Tell me about my ex-husband", {"ex"}),
    ("What do you know about my family?", {"daughter", "cousin", "sister"}),
]
ENOUGH = 0.8
"""Share of both that the reader, taught by other people's questions, must get right."""
UNKNOWN = [
    "What is the capital of France?",
    "What's the weather tomorrow?",
    "今天天气怎么样？",
    "What is my dog's name?",
    "What is my brother called?",
    "我弟弟叫什么？",
    "How old am I?",
    "What car do I drive?",
    "我开什么车？",
    "Translate this into French",
    "What's 2+2?",
    "Where did I park my car?",
    "How tall am I?",
    "Do I smoke?",
    "我什么时候游泳？",
    "How old is the bridge?",
]


def known_of(contents: Sequence[str], *, safety: Sequence[bool] | None = None, kind: Kind = "memory") -> list[Known]:
    marks = safety or [False] * len(contents)
    return [
        Known(id=UUID(int=at), kind=kind, content=content, safety=mark, said=True)
        for at, (content, mark) in enumerate(zip(contents, marks, strict=True), start=1)
    ]


def ask(message: str, *contents: str, safety: bool = False, kind: Kind = "memory") -> Answer:
    known = known_of(contents, safety=[safety] * len(contents), kind=kind)
    return answer(message, known, language_of(message), bundled(), may_use=True)


def names(given_answer: Answer) -> set[str]:
    by_content = {content: name for name, content in REMEMBERED.items()}
    return {by_content[one.content] for one in given_answer.cited}


def of_everything(message: str) -> Answer:
    known = known_of(list(REMEMBERED.values()), safety=[name in SAFETY for name in REMEMBERED])
    return answer(message, known, language_of(message), bundled(), may_use=True)


def test_most_questions_get_what_they_need_first_and_dangers_are_never_left_out() -> None:
    right = []
    for message, expected in ASKED:
        found = of_everything(message)
        for one, sentence in zip(found.cited, found.sentences, strict=bool(found.cited)):
            assert one.content in sentence
            assert f"[Memory#{one.id}]" in sentence
        assert names(found) >= expected & SAFETY, message
        right.append(expected <= names(found) and len(names(found) - expected) <= 1)
    assert sum(right) >= ENOUGH * len(ASKED), [asked for asked, one in zip(ASKED, right, strict=True) if not one]


def test_of_most_of_what_is_not_remembered_it_is_said_so() -> None:
    nothing = [of_everything(message) for message in UNKNOWN]
    right = [one.cited == () for one in nothing]
    for message, one in zip(UNKNOWN, nothing, strict=True):
        assert one.cited or one.sentences == (PHRASES["nothing"][0 if language_of(message) == "en" else 1],)
    assert sum(right) >= ENOUGH * len(UNKNOWN), [asked for asked, one in zip(UNKNOWN, right, strict=True) if not one]


def test_safety_comes_first_whatever_the_order() -> None:
    known = known_of(["I like Thai food for dinner.", "I'm allergic to peanuts."], safety=[False, True])

    found = answer("What should I eat for dinner?", known, "en", bundled(), may_use=True)

    assert [one.content for one in found.cited] == ["I'm allergic to peanuts.", "I like Thai food for dinner."]
    assert found.sentences[0].startswith("Keep in mind: ")


def test_of_several_safety_matters_the_one_that_is_meant_comes_first() -> None:
    found = of_everything("Which antibiotics can I take?")

    assert found.cited[0].content == REMEMBERED["penicillin"]


def test_at_most_three_are_quoted_beside_safety() -> None:
    towns = ("Berlin", "Lisbon", "Rome", "Oslo", "Bern", "Vienna", "Prague", "Riga")
    places = [f"I went on a trip to {town}." for town in towns]

    assert len(ask("Which trips did I go on?", *places).cited) == 3


@each(("message", "heard"), [("I bought a chair.", "I see."), ("我买了一把椅子。", "好的，我知道了。")])
def test_a_statement_is_heard_and_not_said_to_be_remembered(message: str, heard: str) -> None:
    found = of_everything(message)

    assert found == Answer(sentences=(heard,), cited=())
    assert not re.search(r"remember|memor|noted|saved|记住|记下", heard)


def test_a_statement_brings_up_one_memory_that_is_strongly_related() -> None:
    found = ask("My trip to Berlin was cancelled.", "I'm planning a trip to Berlin.", "I live in Zanzibar.")

    assert [one.content for one in found.cited] == ["I'm planning a trip to Berlin."]
    assert len(found.sentences) == 2


def test_a_statement_does_not_bring_up_itself() -> None:
    assert ask("I live in Zanzibar.", "I live in Zanzibar").cited == ()


@each(
    ("message", "sentence"),
    [("hi", PHRASES["greeting"][0]), ("你好！", PHRASES["greeting"][1]), ("Thanks a lot!", PHRASES["thanks"][0])],
)
def test_courtesies_are_returned(message: str, sentence: str) -> None:
    assert of_everything(message).sentences == (sentence,)


@each("language", ["en", "zh"])
def test_with_injection_off_it_says_that_it_may_not_use_memories(language: Language) -> None:
    found = answer("Where do I live?", known_of(["I live in Zanzibar."]), language, bundled(), may_use=False)

    assert found == Answer(sentences=(PHRASES["off"][0 if language == "en" else 1],), cited=())


def test_of_an_episode_the_line_that_concerns_the_question_is_quoted() -> None:
    said = "user: We talked about the garden.\nassistant: Yes.\nuser: My flight to Berlin leaves at nine."

    found = ask("When does my flight to Berlin leave?", said, kind="episode")

    assert "My flight to Berlin leaves at nine." in found.sentences[0]
    assert "garden" not in found.sentences[0]


def test_what_was_just_said_counts_and_a_question_about_it_does_not() -> None:
    found = ask("When is my flight?", "When is my flight?", "My flight is at nine.", kind="message")

    assert found.sentences == ("You just said: “My flight is at nine.”",)


def test_what_is_remembered_of_a_recent_message_is_told_once() -> None:
    memory, message = known_of(["I live in Zanzibar."]), known_of(["I live in Zanzibar!"], kind="message")

    found = answer("Where do I live?", [*memory, *message], "en", bundled(), may_use=True)

    assert [one.kind for one in found.cited] == ["memory"]


def test_what_no_message_shows_is_not_said_to_have_been_said() -> None:
    by_hand = Known(id=UUID(int=1), kind="memory", content="Lives in Zanzibar.", safety=False, said=False)

    [sentence] = answer("Where do I live?", [by_hand], "en", bundled(), may_use=True).sentences

    assert sentence.startswith("Remembered about you: ")


@pytest.mark.parametrize(("page", "cited"), [(3, "p. 3]"), (None, "0001]")])
def test_a_part_of_a_document_is_cited_as_one(page: int | None, cited: str) -> None:
    part = Known(id=UUID(int=1), kind="memory", content="Lives in Zanzibar.", safety=False, said=False, page=Page(page))

    [sentence] = answer("Where do I live?", [part], "en", bundled(), may_use=True).sentences

    assert sentence.startswith("From a document of yours: ")
    assert f"[Document#{part.id}" in sentence
    assert sentence.endswith(cited)


def test_a_long_memory_is_cut_and_stays_in_one_line() -> None:
    [sentence] = ask("Tell me about Berlin", "Berlin\n\n" + "is big. " * 200).sentences

    assert len(sentence) < 600
    assert "\n" not in sentence
    assert "…" in sentence


WORDS = st.sampled_from([*" ".join(REMEMBERED.values()).split(), "where", "what", "我", "住", "过敏", "吗", "?"])
TEXTS = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)


@given(message=st.one_of(TEXTS, st.text(max_size=60)), contents=st.lists(TEXTS, max_size=6), may_use=st.booleans())
def test_it_says_nothing_but_its_own_phrases_and_what_is_known(
    message: str, contents: list[str], may_use: bool
) -> None:
    known = known_of(contents)
    found = answer(message, known, language_of(message), bundled(), may_use=may_use)
    text = "\n".join(found.sentences)
    for one in found.cited:
        assert one in known
        # Before its citation only: the words of a phrase may be somebody's words too.
        said = re.escape(" ".join(one.content.split())) + r"(\W*)" + re.escape(f"[Memory#{one.id}]")
        text = re.sub(said, r"{text}\1{citation}", text)

    phrases = {one for both in PHRASES.values() for one in both}
    assert set(text.split("\n")) <= phrases
    assert may_use or not found.cited


@each(
    ("message", "want"),
    [
        ("Suggest a snack", "answer"),
        ("Could you tell me where I live", "answer"),
        ("what a nice day", "hearing"),
        ("I don't know what I want.", "hearing"),
        ("帮我写一封信", "answer"),
        ("我昨天去了公园。", "hearing"),
        ("你知道我住哪里吗", "answer"),
        ("Good morning!", "greeting"),
        ("谢谢你", "thanks"),
        ("", "hearing"),
    ],
)
def test_what_a_message_wants(message: str, want: str) -> None:
    assert wanted(message) == want


def test_citations_are_those_of_items_that_were_given_in_order() -> None:
    one, two, other = UUID(int=1), UUID(int=2), UUID(int=3)
    text = f"As you said [Memory#{two}], and Memory#{one}, again [Memory#{two}]; not [Memory#{other}] nor [Memory#x]."

    assert cited(text, {one, two}) == [two, one]
