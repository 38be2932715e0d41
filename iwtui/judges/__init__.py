"""Judges give a verdict on each slot of an episode."""
