"""Renders a context as a prompt, from a template in English and Chinese, and counts tokens."""

from shared.language.tokens import count
from shared.recall.prompts.blocks import block, tokens_of
from shared.recall.prompts.reasons import Shortage, explain, explain_left_out, explain_shortage
from shared.recall.prompts.template import Prompt, render, skeleton_tokens

__all__ = [
    "Prompt",
    "Shortage",
    "block",
    "count",
    "explain",
    "explain_left_out",
    "explain_shortage",
    "render",
    "skeleton_tokens",
    "tokens_of",
]
