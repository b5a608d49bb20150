"""Tablée in a terminal."""
