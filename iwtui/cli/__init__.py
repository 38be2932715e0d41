"""The command line: thin; parses, wires the two wings together, prints."""
