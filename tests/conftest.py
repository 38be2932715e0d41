"""What holds for all tests."""

from hypothesis import settings

settings.register_profile("any machine", deadline=None)  # how long an example takes tells of the machine, not of the code
settings.load_profile("any machine")
