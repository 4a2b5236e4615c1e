"""Language understanding: what is worth remembering, how statements relate, what a description means."""
