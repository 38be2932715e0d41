"""Scripted models: small programs that answer as a model would, from the messages alone, and always the same."""
