"""Uploaded documents: their parts are memories, found, cited, exported and forgotten like any other (TR-12)."""
