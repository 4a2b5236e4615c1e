"""The words a text is found by, in both languages, and the digests an index keeps instead of them."""

from __future__ import annotations

import time
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from shared.language.script import SIMPLIFIED
from shared.language.terms import LONGEST_TEXT, STOP_WORDS, digests, translations, words
from tests.support.tables import each

ADA, LIN = UUID(int=1), UUID(int=2)
MONDAY, TUESDAY = UUID(int=3), UUID(int=4)
SPELLINGS = {
    "case": ("Green TEA", "green tea"),
    "full width": ("Ｇｒｅｅｎ　Ｔｅａ", "green tea"),
    "a ligature": ("ﬁne wine", "fine wine"),
    "a composed accent": ("cafe\u0301", "café"),
    "a curly apostrophe": ("Alice’s dog, O’Brien", "Alice's dog, O'Brien"),
    "traditional characters": ("臺灣的電腦", "台湾的电脑"),
    "traditional and simplified mixed": ("我喜歡綠茶", "我喜欢绿茶"),
    "full-width digits": ("１２３号", "123号"),
    "English stems": ("she runs, running marathons", "run run marathon"),
    "possessives": ("Alice's house", "alice house"),
    "punctuation": ("tea, coffee; (milk)!", "tea coffee milk"),
}
FOUND = {
    "What did Alice say about the pottery class?": ["alic", "say", "potteri", "class"],
    "我们在北京大学喝了绿茶": ["北京", "大学", "北京大学", "喝", "绿茶"],
    "我用iPhone手机拍照": ["我用", "iphon", "手机", "拍照"],
    "咖啡100元": ["咖啡", "100", "元"],
    "I don’t know": [],
    "你是谁？": [],
    "order A-1729 from mc_store": ["order", "1729", "mc", "store"],
}
MADE_UP = st.text(alphabet=st.characters(), max_size=200) | st.lists(
    st.sampled_from(
        ["tea", "Running", "绿茶", "北京大学", "ＴＥＡ", "O’Brien", "臺灣", "iPhone手机", "42", "é", "’", " "]
    )
).map("".join)


@each(("one", "other"), SPELLINGS.values())
def test_spelling_makes_no_difference(one: str, other: str) -> None:
    assert words(one) == words(other) != []


@each(("text", "found"), FOUND.items())
def test_a_text_is_found_by_what_it_is_about(text: str, found: list[str]) -> None:
    assert words(text) == found


def test_words_of_other_meaning_stay_apart() -> None:
    for one, other in (("tea", "team"), ("绿茶", "红茶"), ("A-1729", "A-1730"), ("北京", "南京")):
        assert not set(words(one)) & set(words(other)), (one, other)


def test_words_are_in_order_and_counted_as_often_as_they_are_there() -> None:
    assert words("tea, then coffee, then tea") == ["tea", "coffe", "tea"]
    assert words("绿茶和绿茶") == ["绿茶", "绿茶"]


def test_a_question_made_of_stop_words_alone_asks_for_nothing() -> None:
    english = " ".join(word for word in STOP_WORDS if word.isascii())
    assert words(english) == []
    for word in (word for word in STOP_WORDS if not word.isascii()):
        assert words(word) == [], word


@given(MADE_UP)
def test_whatever_is_written_becomes_words_that_can_be_digested(text: str) -> None:
    found = words(text)
    assert "" not in found
    assert all(-(2**63) <= digest < 2**63 for digest in digests(found, ADA))


@given(MADE_UP)
def test_case_width_and_script_are_folded_for_every_text(text: str) -> None:
    assert words(text.translate(SIMPLIFIED)) == words(text)
    if text.isascii():
        wide = "".join(chr(ord(one) + 0xFEE0) if one.isalnum() else one for one in text)
        assert words(wide) == words(text.upper()) == words(text)


@given(MADE_UP, MADE_UP)
def test_words_of_one_sentence_do_not_depend_on_the_next(one: str, other: str) -> None:
    assert words(f"{one}\n{other}") == words(one) + words(other)


def test_a_digest_means_something_in_one_namespace_and_one_conversation_only() -> None:
    found = words("green tea 绿茶")
    salted = [
        digests(found, namespace, within=within) for namespace in (ADA, LIN) for within in (None, MONDAY, TUESDAY)
    ]
    assert len({digest for some in salted for digest in some}) == 6 * len(found)
    assert digests(found, ADA, within=MONDAY) == digests(found, UUID(int=1), within=UUID(int=3))


@given(st.lists(st.sampled_from(["tea", "绿茶", "coffe"])))
def test_digests_are_in_the_order_of_their_words(found: list[str]) -> None:
    one_by_one = [digest for word in found for digest in digests([word], ADA, within=MONDAY)]
    assert digests(found, ADA, within=MONDAY) == one_by_one


def test_different_words_have_different_digests() -> None:
    made_up = [f"word{number}" for number in range(20_000)]
    assert len(set(digests(made_up, ADA))) == len(made_up)


@each("unit", ["running ", "我喜欢喝绿茶", "a'b'c'd’e", "x", "爱", "ﷺ", "’" * 7])
def test_time_is_linear_in_length_and_bounded(unit: str) -> None:
    def seconds(text: str) -> float:
        best = []
        for _ in range(3):
            begun = time.process_time()
            words(text)
            best.append(time.process_time() - begun)
        return min(best)

    words(unit * 100)  # loads dictionaries
    small, large = unit * (4_000 // len(unit)), unit * (16_000 // len(unit))
    # Four times the text may take ten times as long, not the sixteen times of a square; far below a scheduler's tick
    # nothing can be told.
    assert seconds(large) <= max(10 * seconds(small), 0.05)
    assert words(unit * LONGEST_TEXT) == words((unit * LONGEST_TEXT)[:LONGEST_TEXT])


@each(
    ("word", "others"),
    [
        ("dentist", {"牙医"}),
        ("牙医", {"dentist"}),
        ("父母", {"parents"}),
        ("live", {"住", "居住"}),
        ("lisbon", {"里斯本"}),
        ("里斯本", {"Lisbon"}),
        ("peanuts", {"花生"}),
    ],
)
def test_a_word_has_translations_as_the_index_knows_them(word: str, others: set[str]):
    assert {words(other)[-1] for other in others} <= translations(words(word)[-1])


def test_a_translation_is_one_word_of_the_other_language_and_never_the_word_itself():
    for word in ("live", "住", "dentist", "牙医", "green", "猫", "coffee"):
        [asked] = words(word)
        found = translations(asked)
        assert found
        assert all(words(one)[-1] == one for one in found if not one.isascii())
        assert {one.isascii() for one in found} == {not asked.isascii()}


def test_what_nobody_translated_has_no_translations():
    assert translations("quillfeather") == translations("") == frozenset()
