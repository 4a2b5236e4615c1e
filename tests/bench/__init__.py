"""How fast erasing is, beside what a user would pick instead; `make bench-erasure` runs it."""
