"""Where the logs of all tables are kept: committed before anybody sees them."""
