"""Rolling summaries (MC-03): extractive, without a model, or written by a language model, behind one interface.

Both are incremental: the next summary is made of the previous one and the new messages. The cost of an update depends
on the summary's limit and the batch size, never on the length of the conversation.
"""

from shared.language.summarizer.port import ModelRefuses, ModelUnavailable, Spoken, Summarizer

__all__ = ["ModelRefuses", "ModelUnavailable", "Spoken", "Summarizer"]
