"""What the console shows, as plain data: pure folds of events without a widget, a file or a clock."""
