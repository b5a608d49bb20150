"""The house in a browser tab: the same application, with a log in IndexedDB and one player worker, and no server."""
