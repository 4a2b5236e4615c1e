"""An MCP server for one person's memory: `memory-center-mcp`. Needs the extra `mcp`."""
