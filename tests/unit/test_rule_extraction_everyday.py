"""Everyday statements: without "I", about what things do to the person, and about body, days, money and household."""

from __future__ import annotations

from shared.models.extraction import Candidate, ContentType, Utterance
from shared.models.rules import RuleExtractor
from tests.support.tables import each

Found = tuple[str, ContentType, bool]


def extract(text: str) -> list[Candidate]:
    return RuleExtractor().extract([Utterance(role="user", text=text)])


WITHOUT_A_SUBJECT: list[tuple[str, Found]] = [
    ("Allergic to shellfish btw.", ("I'm allergic to shellfish btw.", "constraint", True)),
    ("Vegetarian since 2010.", ("I'm vegetarian since 2010.", "constraint", False)),
    ("Not a fan of crowds.", ("I'm not a fan of crowds.", "preference", False)),
    ("Big fan of old westerns.", ("I'm a big fan of old westerns.", "preference", False)),
    ("Grew up in Leeds.", ("I grew up in Leeds.", "fact", False)),
    ("Born and raised in Ohio.", ("I was born and raised in Ohio.", "fact", False)),
    ("No kids, two cats.", ("I have no kids, two cats.", "fact", False)),
    ("Type 1 diabetic here, what snacks travel well?", ("I'm type 1 diabetic here", "fact", True)),
    ("Dad of three here.", ("I'm a dad of three here.", "fact", False)),
]
EFFECTS: list[tuple[str, Found]] = [
    ("Mushrooms make me gag.", ("Mushrooms make me gag.", "constraint", True)),
    ("Heights terrify me.", ("Heights terrify me.", "preference", False)),
    ("Loud restaurants wear me out.", ("Loud restaurants wear me out.", "preference", False)),
    ("Cilantro tastes like soap to me.", ("Cilantro tastes like soap to me.", "preference", False)),
    ("I'd choose the window seat every time.", ("I'd choose the window seat every time.", "preference", False)),
    ("恐怖片我是一个都不敢看。", ("恐怖片我是一个都不敢看。", "preference", False)),
    ("我一闻到榴莲就想吐。", ("我一闻到榴莲就想吐。", "constraint", True)),
]
BODY_AND_HOME: list[tuple[str, Found]] = [
    ("My knees can't take running anymore.", ("My knees can't take running anymore.", "constraint", True)),
    ("I lost hearing in my right ear.", ("I lost hearing in my right ear.", "fact", True)),
    ("I pay 1,150 a month in rent.", ("I pay 1,150 a month in rent.", "fact", False)),
    ("Sundays are for my grandparents.", ("Sundays are for my grandparents.", "fact", False)),
    ("Nobody in my family drinks.", ("Nobody in my family drinks.", "fact", False)),
    ("The dog sleeps on my side of the bed.", ("The dog sleeps on my side of the bed.", "fact", False)),
    ("I've run this bakery since 2016.", ("I've run this bakery since 2016.", "fact", False)),
    ("I've never been on a plane.", ("I've never been on a plane.", "fact", False)),
    ("我腰上有钢钉。", ("我腰上有钢钉。", "constraint", True)),
    ("我坐不了过山车。", ("我坐不了过山车。", "constraint", True)),
    ("咱家老太太血糖高。", ("咱家老太太血糖高。", "fact", True)),
    ("每个月要还房贷八千多。", ("每个月要还房贷八千多。", "fact", False)),
    ("孩子奶奶帮我们带娃。", ("孩子奶奶帮我们带娃。", "fact", False)),
    ("我跟室友合用一个厨房。", ("我跟室友合用一个厨房。", "fact", False)),
    ("粤语我听得懂但不会讲。", ("粤语我听得懂但不会讲。", "fact", False)),
]


@each(("message", "expected"), [*WITHOUT_A_SUBJECT, *EFFECTS, *BODY_AND_HOME])
def test_an_everyday_statement_is_found(message: str, expected: Found):
    [found] = extract(message)
    assert (found.text, found.content_type, found.taboo) == expected


def test_a_supplied_english_subject_stands_outside_the_quote():
    message = "Hi! Allergic to nuts."
    [found] = extract(message)
    assert message[found.quote_start : found.quote_end] == "Allergic to nuts."


@each(
    "message",
    [
        "Vegan lasagna recipe please.",
        "Working from home tips.",
        "Learning Spanish is hard.",
        "Living in Berlin: pros and cons",
        "Born in 1879, Einstein developed relativity.",
        "Single malt vs blend.",
        "Love this, thanks.",
        "Prefer the shorter version.",
        "Hate speech laws in Germany, summarize.",
        "Can't open the file.",
        "Used to be free, now it costs money.",
        "Two cats on a sofa, oil painting style.",
        "From Paris to Lyon by train.",
        "This noise wears me out.",
        "The error drives me crazy.",
        "Exams make students anxious.",
        "My back button doesn't work.",
        "My stomach hurts today.",
        "I can only see half of the page.",
        "I've run the script for 10 minutes.",
        "Everyone in my family knows that.",
        "We have a problem at home.",
        "我看不了这个文件",
        "我一看就懂了",
        "我现在做什么好?",
        "早饭我都没吃,饿",
        "我舍不得删",
        "我脚麻了",
        "每个月还多少合适?",
        "他每个月还五千",
        "老人腿脚不好怎么选鞋?",
    ],
)
def test_what_only_sounds_like_an_everyday_statement_is_left_alone(message: str):
    assert extract(message) == []
