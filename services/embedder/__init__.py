"""The process that computes vectors for all others."""
