"""What the people of a chaos run say: statements that are learned from, each with a canary nobody else says."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

LETTERS = "bcdfghjklmnpqrstvwxz"
CHARACTERS = "绾阙琅芸祁珩璟岫岚汀沅湄溯淞漪澍霁霏霓雯"
CANARY = re.compile(f"q[{LETTERS}]{{9}}|[{CHARACTERS}]{{6}}")
"""Every canary, wherever it turns up: in a row, an answer or a stored vector's metadata."""

LEARNED = (
    "I like the smell of {0}.",
    "I'm allergic to {0}.",
    "I live in {0}.",
    "My favourite band is {0}.",
    "I love hiking in {0}.",
    "我喜欢喝{1}茶。",
    "我对{1}过敏。",
    "我住在{1}。",
    "我不喜欢{1}。",
)
ASKED = ("Tell me about {0}, please?", "给我讲讲{1}吧?")
ANSWERED = ("Noted: {0}.", "好的,{1}。")


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing to say, with its canary; `learned` when a memory is made of it, worded the same."""

    text: str
    canary: str
    learned: bool


def said_by(role: str, random_: random.Random) -> Statement:
    """Return something new for a role: three of four things a user says are learned from, nothing else is."""
    learned = role == "user" and random_.random() < 0.75
    english = "q" + "".join(random_.choices(LETTERS, k=9))
    chinese = "".join(random_.choices(CHARACTERS, k=6))
    form = random_.choice(LEARNED if learned else ASKED if role == "user" else ANSWERED)
    return Statement(form.format(english, chinese), english if "{0}" in form else chinese, learned)


def canaries(text: str) -> set[str]:
    """Return every canary a text holds."""
    return set(CANARY.findall(text))
