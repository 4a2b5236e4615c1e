"""How a new statement relates to what is remembered: does it say it again, replace it, dispute it, or stand beside it?

Sentences in English and Chinese are read into claims (who, which question, what, and how firmly), and claims are
compared. Everything here is pure: no clock, no store, no model.
"""

from shared.models.relations.resolution import Resolution, Statement, resolve

__all__ = ["Resolution", "Statement", "resolve"]
