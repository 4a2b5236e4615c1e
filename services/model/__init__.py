"""A language model of this machine, from a GGUF file."""
