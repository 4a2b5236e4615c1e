"""A language model as reader, at any OpenAI-compatible endpoint."""
