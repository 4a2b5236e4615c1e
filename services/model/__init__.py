"""A local language model from a GGUF file."""
