"""Figures over the index, in polars."""
