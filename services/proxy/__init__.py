"""A proxy before an OpenAI-compatible API that gives an assistant memory without a change to its code."""
