"""Rolling summaries (MC-03): extractive, which needs nothing, or written by a language model, behind one port.

Both are incremental: the summary before and the new messages make the next one. What a roll costs therefore depends on
the summary's limit and on the batch, never on how long the conversation is.
"""

from shared.language.summarizer.port import ModelRefuses, ModelUnavailable, Spoken, Summarizer

__all__ = ["ModelRefuses", "ModelUnavailable", "Spoken", "Summarizer"]
