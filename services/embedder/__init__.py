"""The process that turns text into vectors for all others."""
