"""A language model as reader: asked the questions of `shared.language` at any OpenAI-compatible endpoint."""
