"""What a person takes with them: its records, its files, its human view, and how it is sealed. No SQL."""
