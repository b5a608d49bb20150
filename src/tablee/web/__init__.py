"""Tablée in the browser, and over HTTP for bots."""
