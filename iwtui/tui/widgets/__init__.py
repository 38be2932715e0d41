"""Widgets of the console: plain data in, past-tense messages out."""
