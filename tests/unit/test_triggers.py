"""When turns are learned from, decided without a clock or a store."""

from __future__ import annotations

import json
import time
from pathlib import Path

from shared.conversations.rules.triggers import EACH_TURN, LearningSchedule, asks_to_remember
from shared.language.candidates import Utterance
from shared.language.extraction import ReaderExtractor
from tests.support.plain_readings import PlainReadings
from tests.support.tables import each

OPEN = Path(__file__).parents[1] / "evaluation" / "data" / "extraction.open.jsonl"


def test_by_default_no_turn_waits() -> None:
    assert not EACH_TURN.waits
    assert EACH_TURN.delay(turns_waiting=1, asked=False) == 0.0


def test_turns_wait_for_the_idle_time_until_there_are_enough_or_somebody_asks() -> None:
    learning_schedule = LearningSchedule(every_turns=3, idle_seconds=120.0)
    assert learning_schedule.waits
    assert [learning_schedule.delay(turns_waiting=n, asked=False) for n in (1, 2, 3, 4)] == [120.0, 120.0, 0.0, 0.0]
    assert learning_schedule.delay(turns_waiting=1, asked=True) == 0.0


@each(
    "text",
    [
        "Remember that I'm vegetarian.",
        "please memorise this: the code is on the fridge",
        "I moved to Oslo, don’t forget.",
        "Never forget to greet me.",
        "Keep in mind I work nights",
        "Note: my flight is on Friday",
        "Save this to your memory.",
        "请记住我对花生过敏",
        "我住在上海,记一下",
        "千万别忘了我不吃香菜",
        "牢记:我是左撇子",
        "备注一下,我周三休息",
        "记得我叫小林",
        "存到你的记忆里",
        "幫我記住:我吃素",
        "備註:我住在台北",
    ],
)
def test_a_wish_to_be_remembered_is_heard_in_both_languages(text: str) -> None:
    assert asks_to_remember(text)


@each(
    "text",
    [
        "I live in Berlin.",
        "What a nice day!",
        "Send me a note",
        "Noted.",
        "我住在上海。",
        "今天天气怎么样?",
        "日记本在哪里",
    ],
)
def test_what_merely_tells_something_is_no_wish(text: str) -> None:
    assert not asks_to_remember(text)


def test_every_explicit_request_is_heard_at_once() -> None:
    """The check is coarser than extraction and never misses a request that extraction understands."""
    extractor = ReaderExtractor(PlainReadings())
    wishes = []
    for line in OPEN.read_text(encoding="utf-8").splitlines():
        said = [Utterance(role=one["role"], text=one["text"]) for one in json.loads(line)["utterances"]]
        found = extractor.extract(said)
        wishes += [said[one.utterance].text for one in found if one.explicit and said[one.utterance].role == "user"]
    assert wishes
    assert [text for text in wishes if not asks_to_remember(text)] == []


def test_a_very_long_message_costs_little_more_than_its_length() -> None:
    begun = time.process_time()
    assert not asks_to_remember("take " * 6_400 + "记 " * 6_400)
    assert time.process_time() - begun < 1.0  # a pattern that backtracks would take minutes
