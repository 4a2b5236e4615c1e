"""Words of both languages, grouped by what they stand for."""
