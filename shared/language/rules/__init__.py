"""What is exact about a message: what it asks to have remembered, what of it is its writer's own, how tools fared."""
