"""What leaves the store: one run as a bundle, as tables, as the official harness's folders, or as data to train on."""
