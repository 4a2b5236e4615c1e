"""Brings packages back that people exported."""
