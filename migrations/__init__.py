"""The schema's history: `python -m migrations` brings a database to the newest version."""
