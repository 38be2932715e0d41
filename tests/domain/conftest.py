"""A busy machine must not fail a property: examples have no deadline of their own."""

from hypothesis import settings

settings.register_profile("iwtui", deadline=None)
settings.load_profile("iwtui")
