"""What a message asks to have remembered or forgotten, and what is made of what the reader finds, exactly."""

from __future__ import annotations

import time
from collections.abc import Sequence

from hypothesis import example, given, settings
from hypothesis import strategies as st

from shared.language.candidates import Candidate, ContentType, Extractor, Utterance
from shared.language.extraction import ReaderExtractor
from shared.language.port import Span, Turn
from shared.language.rules import importance
from shared.language.rules.folding import fold, mask
from tests.evaluation import authors, by_author
from tests.evaluation.bundled import bundled
from tests.support.depth import examples
from tests.support.plain_readings import PlainReadings
from tests.support.tables import each

EXTRACTOR: Extractor = ReaderExtractor(PlainReadings())


def extract(text: str, role: str = "user") -> list[Candidate]:
    return EXTRACTOR.extract([Utterance(role=role, text=text)])


EXPLICIT = [
    ("Remember that the door code changes in May.", "the door code changes in May."),
    ("please remember I'm vegan", "I'm vegan"),
    ("Can you remember that I like tea?", "I like tea"),
    ("Don't forget that I'm allergic to nuts!", "I'm allergic to nuts!"),
    ("Don’t forget: my son is called Max", "my son is called Max"),
    ("Note that our office closes at 6", "our office closes at 6"),
    ("Keep in mind that I'm colour blind.", "I'm colour blind."),
    ("Remember to always add tests.", "always add tests."),
    ("Remember: nut allergy at our table", "nut allergy at our table"),
    ("Remember that if I travel, I prefer aisle seats.", "if I travel, I prefer aisle seats."),
    ("Remember I'm vegan, so please suggest a recipe", "I'm vegan"),
    ("I'm a nurse, please remember that.", "I'm a nurse"),
    ("I live in Oslo. Remember that.", "I live in Oslo."),
    ("The gate code is 1234. Please remember this!", "The gate code is 1234."),
    ("Save to memory: I prefer dark mode", "I prefer dark mode"),
    ("记住我喜欢喝茶。", "我喜欢喝茶。"),
    ("记住这个：我住在上海。", "我住在上海。"),
    ("请记住这个，我住在上海。", "我住在上海。"),
    ("帮我记住这些：我的车停在B2", "我的车停在B2"),
    ("请记住：我的车停在B2", "我的车停在B2"),
    ("请记住，我每周三下午不开会。", "我每周三下午不开会。"),
    ("別忘了我對蝦過敏", "我對蝦過敏"),
    ("帮我记一下，周五要交报告", "周五要交报告"),
    ("千万别忘了我女儿叫小红", "我女儿叫小红"),
    ("我对芒果过敏，请记住。", "我对芒果过敏"),
    ("门口的密码改了。记住了。", "门口的密码改了。"),
    ("我想让你记住我住在广州", "我住在广州"),
    ("帮我remember一下我的passport在抽屉里", "我的passport在抽屉里"),
    ("记得remember我是left-handed", "我是left-handed"),
    ("pls 记住我不吃cilantro", "我不吃cilantro"),
]


@each(("message", "text"), EXPLICIT)
def test_what_a_person_asks_to_remember_is_explicit(message: str, text: str):
    [found] = extract(message)
    assert (found.text, found.explicit) == (text, True)
    assert found.importance >= importance.ASKED_FOR
    assert message[found.quote_start : found.quote_end] == text


def test_a_list_under_remember_this_is_explicit_up_to_the_blank_line():
    found = extract("Remember this:\n- I like tea\n- The wifi is called Foo\n\nI hate coffee.")
    assert [(candidate.text, candidate.explicit) for candidate in found] == [
        ("I like tea", True),
        ("The wifi is called Foo", True),
        ("I hate coffee.", False),
    ]


@each("message", ["Remember that", "Remember!", "Remember:", "请记住", "记住！", "Remember me?"])
def test_a_request_to_remember_nothing_yields_nothing(message: str):
    assert extract(message) == []


REFUSED = [
    "Don't remember this: I live in Berlin.",
    "I live in Berlin. Please don't save that.",
    "不要记住：我住在北京。",
    "我住在北京。别记下来。",
    "don't 记住这个,我离婚了。",
    "我离婚了。不要 remember 这个",
    "Don't remember my address: I live at 5 Elm Street.",
    "I don't want you to remember that I'm divorced.",
    "Can you not remember this? I'm divorced.",
    "Keep this out of your memory: I'm divorced.",
    "I'd rather you didn't remember this, but I'm divorced.",
    "I'm divorced. Please never store that anywhere.",
    "Don't save any of this conversation.",
    "不用记了，我住在北京朝阳区",
    "这些话别记。我离婚了",
    "我离婚了，这件事不要记",
    "请勿记录：我离婚了",
]
"""In doubt nothing is kept: who did not mean it says it again."""
KEPT_ALL_THE_SAME = [
    "I don't remember my password, but I live in Oslo.",
    "I live in Oslo and never save money.",
    "别人记住了我的名字。我住在上海。",
    "不要记错了。我住在上海。",
    "我不记得了。我住在上海。",
    "You don't remember? I live in Oslo.",
]


@each("message", REFUSED)
def test_a_message_that_asks_not_to_be_remembered_is_not(message: str):
    assert extract(message) == []


@each("message", KEPT_ALL_THE_SAME)
def test_a_message_that_only_speaks_of_remembering_is_kept(message: str):
    assert extract(message)


@each("message", ["Remember my brother's name?", "Can you remember my dog's name?", "记得我女朋友叫什么吗？"])
def test_a_question_about_what_is_remembered_asks_to_remember_nothing(message: str):
    assert [found for found in extract(message) if found.explicit] == []


@each(("one", "other"), [("1.5 mg", "15 mg"), ("A+", "A-"), ("C++", "C#"), ("7:30", "730")])
def test_what_differs_in_more_than_punctuation_is_not_the_same(one: str, other: str):
    assert len(extract(f"I like {one}.\nI like {other}.")) == 2


class Everything(PlainReadings):
    """Keeps whatever is said."""

    def turn(self, text: str, before: Sequence[tuple[str, str]]) -> Turn:
        del before
        return Turn((Span(0, len(text), 1.0, "fact", 1.0, "self", "lasting"),), ())


def test_a_question_that_something_else_was_said_after_is_not_answered():
    said, before = [Utterance(role="user", text="Peanuts.")], [("assistant", "What can't you eat?")]
    for follows, text in ((True, "What can't you eat? Peanuts."), (False, "Peanuts.")):
        [found] = ReaderExtractor(Everything()).extract(said, before=before, follows=follows)
        assert found.text == text


def test_repetitions_in_one_call_are_dropped_and_an_explicit_one_wins():
    messages = ["I like tea.", "I  LIKE tea!.", "Remember that I like tea", "我喜欢茶。", "我喜欢茶。。"]
    found = EXTRACTOR.extract([Utterance(role="user", text=message) for message in messages])
    assert [(candidate.utterance, candidate.explicit) for candidate in found] == [(2, True), (3, False)]


def test_evidence_is_numbered_by_utterance_and_only_users_are_heard():
    roles = ["system", "user", "assistant", "tool", "user"]
    said = [Utterance(role=role, text=f"I like tea {n}.") for n, role in enumerate(roles)]
    assert [candidate.utterance for candidate in EXTRACTOR.extract(said)] == [1, 4]


def test_an_overlong_request_is_cut_between_words_and_its_quote_with_it():
    message = "Remember that I like " + "very long stories " * 100
    [found] = extract(message)
    assert len(found.text) <= 500
    assert found.text.endswith(("very", "long", "stories"))
    assert message[found.quote_start : found.quote_end] == found.text


def test_full_width_letters_emoji_and_surrogate_pairs_keep_offsets():
    message = "👩‍🚀🎉 ｐｌｅａｓｅ　ｒｅｍｅｍｂｅｒ　Ｉ　ｌｉｋｅ　ｔｅａ．"
    assert [found.text for found in extract(message)] == ["Ｉ　ｌｉｋｅ　ｔｅａ．"]


WEIGHTS: list[tuple[ContentType, str, bool, bool, int]] = [
    ("constraint", "I'm deathly allergic to bees", True, False, 10),
    ("constraint", "I carry an EpiPen", True, False, 10),
    ("constraint", "我对花生过敏，会致命", True, False, 10),
    ("constraint", "I'm allergic to nuts", True, True, 9),
    ("fact", "I like tea", False, True, 8),
    ("constraint", "我预算三千", False, False, 7),
    ("preference", "I like tea", False, False, 5),
    ("episodic", "I bought tea", False, False, 3),
]


@each(("kind", "text", "safety", "asked_for", "weight"), WEIGHTS)
def test_what_matters_more_weighs_more(kind: ContentType, text: str, safety: bool, asked_for: bool, weight: int):
    assert importance.of(kind, text, safety=safety, asked_for=asked_for) == weight


HINTS = [
    ("When I write reports, use short sentences.", "write reports"),
    ("Whenever I ask for recipes, give me grams.", "recipes"),
    ("For work emails, always sign as Dr. Weiss.", "work emails"),
    ("I prefer British spelling in my cover letters.", "cover letters"),
    ("写周报的时候，用三段式", "写周报"),
    ("寫論文的時候我習慣用 LaTeX", "寫論文"),
    ("工作邮件我习惯用英文", "工作邮件"),
    ("I live in Berlin.", None),
    ("I love hiking when it rains.", None),
    ("我住在上海", None),
]


@each(("said", "hint"), HINTS)
def test_a_task_that_the_words_name_becomes_the_hint(said: str, hint: str | None):
    assert [found.task_hint for found in extract(f"Remember: {said}")] == [hint]


def test_what_we_say_plainly_is_understood_by_the_bundled_reader():
    """A floor: the reader was taught these, so weights and the code around them must agree about them."""
    reader = ReaderExtractor(bundled())
    found = by_author.extraction(
        authors.sessions(authors.OURS),
        lambda text, before: reader.extract([Utterance(role="user", text=text)], before=before),
    )
    assert found["precision"] >= 0.9
    assert found["recall"] >= 0.9
    assert found["safety_recall"] >= 0.95


FRAGMENTS = st.sampled_from(
    [
        *(message for message, _ in EXPLICIT),
        *REFUSED,
        "I live in Rome and work at the zoo. ",
        "我住在上海，今天有什么好玩的？",
        'Translate: "I keep bees."',
        "Let's role-play, you're a clerk. ",
        *"\n ,.?!;:'\"`>。，？！“”「」()-🍕",
        "```",
        "\u200b",
        "e\u0301",
        "\ufffc",
        "\ud83d",
        "ﬁ",
        "㍿",
    ]
)
MESSAGES = st.one_of(
    st.text(max_size=200), st.lists(st.one_of(FRAGMENTS, st.text(max_size=8)), max_size=12).map("".join)
)


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "system", "tool", ""]), MESSAGES), max_size=4))
@example([("user", "I AAA 0\x1f")])
@settings(max_examples=examples(100), deadline=None)
def test_every_candidate_quotes_a_message(turn: list[tuple[str, str]]):
    utterances = [Utterance(role=role, text=text) for role, text in turn]
    found = EXTRACTOR.extract(utterances)
    assert found == EXTRACTOR.extract(utterances)
    assert found == sorted(found, key=lambda candidate: (candidate.utterance, candidate.quote_start))
    for candidate in found:
        source = utterances[candidate.utterance]
        assert source.role in ("user", "tool")
        assert 0 <= candidate.quote_start < candidate.quote_end <= len(source.text)
        assert candidate.text.endswith(source.text[candidate.quote_start : candidate.quote_end])
        assert candidate.text == candidate.text.strip()
        assert 1 <= len(candidate.text) <= 500
        assert 1 <= candidate.importance <= 10
        assert candidate.importance >= 8 or not candidate.explicit
        assert candidate.importance >= 9 or not candidate.taboo
        assert candidate.task_hint is None or candidate.task_hint in source.text


@given(MESSAGES)
@settings(max_examples=examples(100), deadline=None)
def test_folding_and_masking_keep_the_length(message: str):
    assert len(mask(fold(message))) == len(fold(message)) == len(message)


ADVERSARIES = [
    *("I ", "I, ", "I like ", "my ", "my a ", ", I", "and ", " and I", "don't ", "please, ", "remember that ", "a. "),
    *(
        "A: ",
        "我",
        "我，",
        "我喜欢",
        "对了，",
        "请记住，",
        " ",
        "\t",
        "\n ",
        "`",
        "'",
        "'a",
        '"',
        "“",
        "「",
        "```",
        "> ",
    ),
    *(
        "~~~\n",
        "(",
        "http://",
        "www.a",
        "1.",
        "😀",
        "\u0301",
        "x",
        "\ufffc",
        "Translate ",
        "I like " + "x" * 300 + ", ",
    ),
    *("every day ", "when I cook, ", "for my ", "字", "字 ", "，我", "的时候，", "我每天", "以后", "I x. ", "我x。"),
]


def cost(message: str) -> float:
    started = time.process_time()
    extract(message)
    return time.process_time() - started


@each("unit", ADVERSARIES)
def test_the_work_grows_linearly_with_the_message(unit: str):
    """Eight times the length may cost up to thirty times as much; quadratic work would cost sixty-four times."""
    short, long = (unit * (size // len(unit) + 1) for size in (2_500, 20_000))
    floor = 0.002  # below this the clock's grain, not the work, is measured
    assert any(cost(long) < 30 * max(cost(short), floor) for _attempt in range(3))
