"""Where the logs of all tables are kept: written and committed before anybody is told."""
