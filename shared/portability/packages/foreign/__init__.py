"""Exports of other products, converted to our records (X-09). docs/import.md lists what is imported and the sources."""

from shared.portability.packages.foreign.opening import open_foreign_json, open_foreign_zip

__all__ = ["open_foreign_json", "open_foreign_zip"]
