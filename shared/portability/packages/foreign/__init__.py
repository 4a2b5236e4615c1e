"""Exports of other products, as records of ours (X-09). docs/import.md says what is taken of each, and from where."""

from shared.portability.packages.foreign.opening import open_foreign_json, open_foreign_zip

__all__ = ["open_foreign_json", "open_foreign_zip"]
