"""`python -m iwtui`."""

from iwtui.cli.main import main

main()
