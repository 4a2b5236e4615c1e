"""Finds what is sensitive in what people write, in English, Chinese and text that mixes them (FC-10, MC-17).

Rules, not a model: what is found is the same on every machine, in time that grows with the text's length alone.
Three kinds of evidence count: a form that nothing else has (a provider's prefix, a check digit), a form with a word
that says what it is ("call me on …", "身份证号…"), and words that state a secret ("my PIN is …", "密码是…").

Precision is kept by what stands around a value: "order no.", "播放量…", placeholders, talk about passwords without one.
"""

from shared.language.sensitivity.finding import find
from shared.language.sensitivity.screening import Screened, mask, screen
from shared.language.sensitivity.spans import Found

__all__ = ["Found", "Screened", "find", "mask", "screen"]
