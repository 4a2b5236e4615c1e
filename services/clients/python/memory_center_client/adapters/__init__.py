"""Memory Center behind agent frameworks. Each module needs its framework, which the client alone does not bring.

`langgraph`, `llama_index`, `openai_agents`, `pydantic_ai`, `anthropic`: `pip install memory-center-client[langgraph]`.
"""
