"""Extraction by rules, for a deployment with no language model: English, Chinese and text that mixes them.

Rules see clause starts only. That is why a question, a quotation or a third person's words do not match: there the
first person stands in the middle of a clause, not at its head. It also keeps the work linear in the message's length.
"""

from shared.models.rules.extractor import RuleExtractor

__all__ = ["RuleExtractor"]
