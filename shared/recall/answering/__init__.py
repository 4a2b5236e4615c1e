"""Answers from what is remembered and from nothing else, without a language model, in English and Chinese (LT-07).

Pure: no clock, no store, no model. Whoever has a language model asks that one instead (`answering.language_model`).
"""

from shared.recall.answering.citing import cited
from shared.recall.answering.responder import Answer, Known, answer

__all__ = ["Answer", "Known", "answer", "cited"]
