"""One gateway over LiteLLM, and the scripted provider behind it."""
