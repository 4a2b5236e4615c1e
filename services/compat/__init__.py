"""Doors for clients of other memory systems; each is a client of the gateway."""
