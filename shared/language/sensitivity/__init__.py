"""Finds sensitive content in English, Chinese and mixed text (FC-10, MC-17).

It uses rules, not a model: results are the same on every machine, and time is linear in the length of the text. Three
kinds of evidence count: a unique form (a provider's prefix, a check digit), a form next to a word that names it ("call
me on …", "身份证号…"), and words that state a secret ("my PIN is …", "密码是…").

The context of a value keeps precision high: "order no.", "播放量…", placeholders, talk about passwords in general.
"""

from shared.language.sensitivity.finding import find
from shared.language.sensitivity.screening import Screened, mask, mask_pages, screen
from shared.language.sensitivity.spans import Found

__all__ = ["Found", "Screened", "find", "mask", "mask_pages", "screen"]
