# Made from _async by generate.py.
"""The client to await; the other one is made from it."""
