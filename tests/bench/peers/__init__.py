"""What a user would pick instead, each in a process of its own, on the same servers."""
