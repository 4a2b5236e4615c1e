"""The item kind of consents. They stay as proof until their person forgets everything."""

from __future__ import annotations

from typing import Final

from shared.consent.packages import CONSENTS
from shared.consent.sql import tables
from shared.kernel.items import ItemKind

CONSENT: Final = ItemKind(
    name="consent",
    record="consent",
    table=tables.profile_consents,
    visible=tables.visible_consents,
    fate="goes with the person",
    recorded=True,
    in_packages=CONSENTS,
)
