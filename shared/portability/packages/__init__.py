"""Export packages: records, files, human-readable view, encryption. No SQL."""
