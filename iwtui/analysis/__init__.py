"""Figures over many episodes, from the index: filters, policies, means with intervals. Polars frames in, figures out."""
