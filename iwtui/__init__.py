"""A terminal console for InteractWeb-Bench."""

__version__ = "0.1.0"
