"""The games; each folder knows only `core`."""
