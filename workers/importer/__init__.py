"""Imports export packages."""
