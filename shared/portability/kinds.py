"""Packages as item kinds: a forget revokes the packages that may contain its target."""

from __future__ import annotations

from typing import Final

from shared.kernel.items import ItemKind
from shared.portability.revoke_exports import revoke_forgotten_exports, revoke_restored_exports
from shared.portability.revoke_imports import revoke_forgotten_imports, revoke_restored_imports
from shared.portability.sql import exports, imports

EXPORT: Final = ItemKind(
    name=exports.ITEM,
    table="exports",
    fate="goes when revoked",
    holds_words=("exports",),
    on_forget=revoke_forgotten_exports,
    on_restore=revoke_restored_exports,
)
IMPORT: Final = ItemKind(
    name=imports.ITEM,
    table="imports",
    fate="goes when revoked",
    holds_words=("imports",),
    on_forget=revoke_forgotten_imports,
    on_restore=revoke_restored_imports,
)
