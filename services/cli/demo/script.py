"""The script of the demo: two people, four conversations, sixteen turns.

Both sides of a turn contain its canary, a word that occurs nowhere else: a row with the canary is a copy of the turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Person:
    """A person who talks to the assistant."""

    user_id: str
    name: str


@dataclass(frozen=True, slots=True)
class Turn:
    """The person's message, the assistant's answer, and the word unique to this turn."""

    said: str
    answered: str
    canary: str


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation."""

    person: Person
    title: str
    turns: tuple[Turn, ...]


ADA: Final = Person("ada", "Ada")
LIN: Final = Person("lin", "小林")

LISBON: Final = Talk(
    ADA,
    "A weekend in Lisbon",
    (
        Turn(
            "I'm planning a weekend in Lisbon. I love old tram lines, especially the one to Prazeres.",
            "Then ride tram 28 to Prazeres before nine in the morning, while there are still seats.",
            "Prazeres",
        ),
        Turn(
            "My budget is 640 euros, and I stay at the Pensao Arrabalde.",
            "From the Arrabalde you can walk almost everywhere, so 640 euros will do.",
            "Arrabalde",
        ),
        Turn(
            "Please remember that my spare key is with my neighbour Quillfeather.",
            "I will remember it: Quillfeather has your spare key.",
            "Quillfeather",
        ),
        Turn(
            "From now on, please give me prices in Swiss francs, my bank is the Banque Merlette.",
            "Gladly. The day ticket is 6.50 francs; the Merlette charges nothing abroad.",
            "Merlette",
        ),
    ),
)

AT_HOME: Final = Talk(
    ADA,
    "Everyday questions",
    (
        Turn(
            "Hi, I'm Ada. I work as a bookbinder at the Vandermolen workshop.",
            "Good to meet you, Ada. What is on the bench at Vandermolen today?",
            "Vandermolen",
        ),
        Turn(
            "I'm vegetarian, and I'm allergic to hazelnuts, so no Gianduja for me.",
            "Understood: nothing with hazelnuts, so Gianduja is out, and no meat or fish.",
            "Gianduja",
        ),
        Turn(
            "Never mention my ex-husband Balthazar.",
            "I won't bring Balthazar up.",
            "Balthazar",
        ),
        Turn(
            "I'm learning the accordion, and my teacher is called Zephyrine.",
            "Ask Zephyrine for slow waltzes first: they train the left hand.",
            "Zephyrine",
        ),
    ),
)

COOKING: Final = Talk(
    LIN,
    "家常菜",
    (
        Turn(
            "你好，我叫林小溪，住在成都浣花巷。",
            "你好，小溪。浣花巷附近的早市菜很新鲜，想做点什么？",
            "浣花巷",
        ),
        Turn(
            "我对花生过敏。怎么做鱼香茄子？",
            "鱼香茄子不用花生：茄子先蒸软，再淋上热的鱼香汁。",
            "鱼香茄子",
        ),
        Turn(
            "我喜欢清淡的菜，不喜欢香菜，酱料只用阿婆豆瓣。",
            "那就少油少盐，半勺阿婆豆瓣提味，最后撒葱花，不放香菜。",
            "阿婆豆瓣",
        ),
        Turn(
            "以后请用中文回答，先说结论，像《灶台笔记》那样。",
            "好的：先说结论，再说做法，照《灶台笔记》的样子。",
            "灶台笔记",
        ),
    ),
)

SLEEP: Final = Talk(
    LIN,
    "睡不着",
    (
        Turn(
            "我有失眠，最近在蔚蓝湾诊所看医生。",
            "辛苦了。蔚蓝湾诊所的医生怎么说？",
            "蔚蓝湾",
        ),
        Turn(
            "请记住：我的就诊卡号是青鸾八八二一。",
            "记住了，就诊卡号是青鸾八八二一。",
            "青鸾",
        ),
        Turn(
            "千万别跟我提裁员的事。我在星桥科技工作。",
            "好，不提。星桥科技的工作之外，晚上给自己留半小时安静时间。",
            "星桥",
        ),
        Turn(
            "我有一只叫墨鱼丸的猫。再说一次，我对花生过敏。",
            "墨鱼丸夜里要是闹，可以睡前多陪它玩一会儿；助眠的点心里不放花生。",
            "墨鱼丸",
        ),
    ),
)

TALKS: Final = (LISBON, AT_HOME, COOKING, SLEEP)
FORGOTTEN_TURN: Final = 2
"""Index of the turn of `LISBON` that is forgotten on its own."""

PREFERENCE: Final = "白鹭滩"
"""A word of the preference that 小林 lets the assistant keep for a while."""

STAYS_KNOWN: Final = "花生"
"""A word in both of 小林's conversations; it stays known when one of them is forgotten."""
