"""What is sensitive in what people write, and what a deployment does about each kind (FC-10, MC-17)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

Category: TypeAlias = Literal[
    "credential",  # passwords, PINs, one-time codes, seed phrases, session cookies, URLs with a password
    "key",  # API keys and tokens, private keys
    "wallet",  # addresses of cryptocurrencies
    "payment",  # card and account numbers, card verification codes
    "identity",  # numbers of identity cards, passports, driving licences, social security
    "email",
    "phone",
    "name",  # a person's full name
    "path",  # a full path of a file: it names the machine's owner and what they keep
]
Action: TypeAlias = Literal["reject", "redact", "allow"]
Outcome: TypeAlias = Literal["rejected", "redacted"]
PolicyName: TypeAlias = Literal["default", "finclaw"]

Policy: TypeAlias = Mapping[Category, Action]
"""`reject`: nothing that holds it is remembered. `redact`: it is remembered without the fragment."""

OUTCOMES: Final[Mapping[Action, Outcome]] = MappingProxyType({"reject": "rejected", "redact": "redacted"})
"""What an action leaves to tell; nothing is told of what is allowed."""

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
                # As credentials are: a path says where to look for what is behind it.
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
