"""The client to await; the other one is made from it."""
