"""Tablée: a game library open day and night."""
