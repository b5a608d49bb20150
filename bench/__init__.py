"""How fast the engine plays, beside others: `make bench`."""
