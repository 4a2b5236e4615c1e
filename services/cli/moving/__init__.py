"""Memories brought here from mem0 and OpenMemory, for many people at once (X-10)."""
