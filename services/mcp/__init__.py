"""Memory over the Model Context Protocol: seven tools, each a request to the gateway with the caller's own token."""
