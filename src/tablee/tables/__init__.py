"""A table: seats, a log of events, dice that can be checked, a clock, take-backs; no network and no database."""
