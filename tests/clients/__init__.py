"""The client's adapters, and every door, with the real frameworks and a real installation (`make test-clients`)."""
