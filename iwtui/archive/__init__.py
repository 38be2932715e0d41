"""The store: event logs, blobs, live-run registry and the DuckDB index. No other room touches it."""
