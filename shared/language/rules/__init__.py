"""Exact rules: requests to remember, which parts of a message are its writer's own words, and results of tools."""
