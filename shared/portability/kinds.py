"""Packages as item kinds: a forget revokes the packages that may contain its target."""

from __future__ import annotations

from typing import Final

from shared.kernel.items import ItemKind
from shared.portability.revoke import (
    revoke_forgotten_exports,
    revoke_forgotten_imports,
    revoke_restored_exports,
    revoke_restored_imports,
)
from shared.portability.sql import exports, imports, tables

EXPORT: Final = ItemKind(
    name=exports.ITEM,
    table=tables.exports,
    fate="goes when revoked",
    holds_words=(tables.exports,),
    on_forget=revoke_forgotten_exports,
    on_restore=revoke_restored_exports,
)
IMPORT: Final = ItemKind(
    name=imports.ITEM,
    table=tables.imports,
    fate="goes when revoked",
    holds_words=(tables.imports,),
    on_forget=revoke_forgotten_imports,
    on_restore=revoke_restored_imports,
)
