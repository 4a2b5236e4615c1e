"""mem0's REST API, for its unmodified clients."""
