"""Builds export packages."""
