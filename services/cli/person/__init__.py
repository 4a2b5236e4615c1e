"""What a person does with their memory from a shell. It all goes over HTTP; nothing here reads the database."""
