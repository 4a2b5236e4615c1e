"""Commands with which people manage their memory. They use HTTP only; nothing here reads the database."""
