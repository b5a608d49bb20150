"""Our games in the words of others: adapters for libraries that learn and search."""
