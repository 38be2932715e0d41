"""The console: Textual screens over logs and index; it shows what the archive keeps and never plays an episode itself."""
