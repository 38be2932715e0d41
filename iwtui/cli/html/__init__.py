"""One run as a page that stands alone: no script, no request, all text of others escaped."""
