"""What people say, understood: what is worth remembering, how statements relate, what a description means."""
