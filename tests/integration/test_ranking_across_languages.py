"""Questions find what is meant first, in either language, among a few memories: real vectors, ranked by the API."""

from __future__ import annotations

import json
from typing import Final

import pytest

from tests.evaluation.scoring import Half, cases
from tests.support.memories import written
from tests.support.workbench import Workbench

# Written before anything was tuned; whoever tunes must not look at them one by one.
MEMORIES: Final = {
    "peanuts": "I'm allergic to peanuts",
    "home": "我住在上海。",
    "dog": "My dog is called Biscuit.",
    "meeting": "周三的项目会议改到下午四点。",
    "job": "I work as a nurse at St. Mary's hospital.",
    "daughter": "我女儿叫小雨，今年六岁。",
    "car": "I drive a blue Skoda.",
    "spicy": "我不吃辣。",
    "passport": "My passport expires in November.",
    "swimming": "我每周二晚上游泳。",
    "cello": "I'm learning to play the cello.",
    "mother": "我妈妈的生日是三月八号。",
    "answers": "I prefer short answers without emojis.",
    "phone": "我用的是华为手机。",
    "landlord": "My landlord is Mr. Okafor and the rent is due on the first.",
    "trip": "下个月我要去成都出差。",
    "coffee": "I take my coffee black.",
    "key": "备用钥匙在邻居家。",
}
QUESTIONS: Final = {
    "花生可以吃吗": "peanuts",
    "can I eat peanuts?": "peanuts",
    "我住哪": "home",
    "where do I live": "home",
    "会议几点": "meeting",
    "when is the meeting?": "meeting",
    "what is my dog's name?": "dog",
    "我的狗叫什么": "dog",
    "我做什么工作": "job",
    "what do I do for a living?": "job",
    "女儿几岁": "daughter",
    "how old is my daughter?": "daughter",
    "我开什么车": "car",
    "which car do I have?": "car",
    "能吃辣吗": "spicy",
    "can I eat spicy food?": "spicy",
    "护照什么时候过期": "passport",
    "when does my passport run out?": "passport",
    "什么时候游泳": "swimming",
    "when do I go swimming?": "swimming",
    "我在学什么乐器": "cello",
    "which instrument am I learning?": "cello",
    "妈妈生日": "mother",
    "when is my mother's birthday?": "mother",
    "回答要多长": "answers",
    "how should you answer me?": "answers",
    "我的手机": "phone",
    "which phone do I use?": "phone",
    "房租什么时候交": "landlord",
    "who is my landlord?": "landlord",
    "去哪出差": "trip",
    "where is my business trip?": "trip",
    "咖啡怎么喝": "coffee",
    "how do I like my coffee?": "coffee",
    "钥匙在哪": "key",
    "where is the spare key?": "key",
}
KINDS: Final = {"en": "English", "zh": "Chinese", "short": "short Chinese"}
SHARE_AT_LEAST: Final = 0.7
"""Of each kind of question, found first. The table was written before anything was measured; of its held-out half only
sums were looked at."""
SHARE_OF_ALL_AT_LEAST: Final = 0.84
FIRST_AT_LEAST: Final = 33
"""34 of 36 were, when this was measured; with the embedder alone 27 would be."""


def test_what_is_meant_comes_first_in_either_language(bench: Workbench) -> None:
    ada = bench.person()
    for content in MEMORIES.values():
        written(ada, content, content_type="fact")
    bench.work()

    others = {
        question: found for question, key in QUESTIONS.items() if (found := ada.search(question)[0]) != MEMORIES[key]
    }

    assert len(QUESTIONS) - len(others) >= FIRST_AT_LEAST, others


@pytest.mark.few(1)
@pytest.mark.parametrize("half", ["open", "held_out"])
def test_questions_in_either_language_and_short_ones_find_what_is_meant_first(bench: Workbench, half: Half) -> None:
    labelled = cases("questions", half)
    ada = bench.person()
    for one in labelled:
        written(ada, one["memory"], content_type="fact")
    bench.work()

    first: dict[str, list[bool]] = {}
    for one in labelled:
        memory = "Chinese" if _is_chinese(one["memory"]) else "English"
        for kind in ("en", "zh", "short"):
            found = ada.search(one[kind])
            first.setdefault(f"{KINDS[kind]} on {memory} memories", []).append(found[:1] == [one["memory"]])
    shares = {kind: round(sum(found) / len(found), 2) for kind, found in first.items()}
    every = [one for found in first.values() for one in found]
    print("QUESTIONS " + json.dumps({"half": half, **shares, "all": round(sum(every) / len(every), 3)}))

    assert not {kind: share for kind, share in shares.items() if share < SHARE_AT_LEAST}
    assert sum(every) / len(every) >= SHARE_OF_ALL_AT_LEAST


def _is_chinese(text: str) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


def test_the_example_of_the_readme_holds(bench: Workbench) -> None:
    ada = bench.person()
    ada.say(ada.conversation(title="Lunch"), ("I'm allergic to peanuts, and 我住在上海。", "Noted."))
    bench.work()

    assert ada.memories() == ["I'm allergic to peanuts", "我住在上海。"]
    for question, first in (
        ("花生可以吃吗", "I'm allergic to peanuts"),
        ("can I eat peanuts?", "I'm allergic to peanuts"),
        ("我住哪", "我住在上海。"),
        ("where do I live?", "我住在上海。"),
    ):
        assert ada.search(question)[0] == first, question
