"""What an assistant is given of a person's memory: chosen, ordered and bounded by rules without I/O."""
