"""What a person means who describes what is to be forgotten or corrected (X-06): rules, no language model."""

from shared.models.descriptions.correcting import Resolved, unit_meant
from shared.models.descriptions.deciding import Discourse, Known, decide
from shared.models.descriptions.said import Code, Meant, Said
from shared.models.descriptions.searching import TERMS_MAX, Asked, Correcting, Search, TooManyTerms
from shared.models.descriptions.wishes import Wish, understand

__all__ = [
    "TERMS_MAX",
    "Asked",
    "Code",
    "Correcting",
    "Discourse",
    "Known",
    "Meant",
    "Resolved",
    "Said",
    "Search",
    "TooManyTerms",
    "Wish",
    "decide",
    "understand",
    "unit_meant",
]
