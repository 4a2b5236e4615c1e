"""What the reader's heads tell apart; the order is part of the weights."""

from typing import Final

TASKS: Final = ("turn", "relation", "meant", "rank")
KEPT: Final = ("no", "begins", "inside", "not")
"""Of a token: not worth remembering, the first or another of a piece that is, or one that only looks so."""
TYPES: Final = ("fact", "preference", "constraint", "episodic", "task_outcome")
ABOUT: Final = ("self", "household", "other")
TIMES: Final = ("lasting", "until", "event", "past")
CATEGORIES: Final = (
    "credential",
    "payment",
    "identity",
    "phone",
    "email",
    "address",
    "health",
    "name",
    "wallet",
    "file_path",
    "bank_account",
)
RELATIONS: Final = ("same", "replaces", "narrows", "unclear", "unrelated")
MEANT: Final = ("none", "whole", "part")

TOKEN_HEADS: Final = {
    "kept": len(KEPT),
    "type": len(TYPES),
    "safety": 2,
    "about": len(ABOUT),
    "time": len(TIMES),
    "sensitive": 1 + len(CATEGORIES),
    "part": 2,
}
"""How many labels each head has that looks at one token; the model returns them side by side in this order."""
WHOLE_HEADS: Final = {"relation": len(RELATIONS), "meant": len(MEANT), "rank": 1}
"""The same of heads that look at the whole."""
