"""Answers from memory only, without a language model, in English and Chinese (LT-07).

Pure: no clock, no store, no model. With a language model configured, `answering.language_model` is used instead.
"""

from shared.recall.answering.citing import Page, cited
from shared.recall.answering.responder import Answer, Known, answer

__all__ = ["Answer", "Known", "Page", "answer", "cited"]
