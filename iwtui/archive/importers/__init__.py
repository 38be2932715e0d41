"""Logs that other programs wrote, as runs of ours: the official harness's."""
