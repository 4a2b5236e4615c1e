"""Categories of sensitive content and the policies for handling them (FC-10, MC-17)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

Category: TypeAlias = Literal[
    "credential",  # passwords, PINs, one-time codes, seed phrases, session cookies, URLs with a password
    "key",  # API keys and tokens, private keys
    "wallet",  # cryptocurrency addresses
    "payment",  # card and account numbers, card verification codes
    "identity",  # numbers of identity cards, passports, driving licences, social security
    "email",
    "phone",
    "name",  # a person's full name
    "path",  # a full file path; it can reveal the machine's owner and what they store
]
Action: TypeAlias = Literal["reject", "redact", "allow"]
Outcome: TypeAlias = Literal["rejected", "redacted"]
PolicyName: TypeAlias = Literal["default", "finclaw"]

Policy: TypeAlias = Mapping[Category, Action]
"""`reject`: text with such a fragment is not remembered. `redact`: it is remembered without the fragment."""

OUTCOMES: Final[Mapping[Action, Outcome]] = MappingProxyType({"reject": "rejected", "redact": "redacted"})
"""The outcome reported for each action; allowed content is not reported."""

POLICIES: Final[Mapping[PolicyName, Policy]] = MappingProxyType(
    {
        "default": MappingProxyType(
            {
                "credential": "reject",
                "key": "reject",
                "wallet": "reject",
                "payment": "reject",
                "identity": "reject",
                "email": "redact",
                "phone": "redact",
                "name": "allow",
                # Rejected like credentials, because a path reveals where sensitive files are.
                "path": "reject",
            }
        ),
        "finclaw": MappingProxyType(
            {
                "credential": "reject",
                "key": "reject",
                "wallet": "reject",
                "payment": "reject",
                "identity": "reject",
                "email": "reject",
                "phone": "reject",
                "name": "reject",
                "path": "reject",
            }
        ),
    }
)
