"""The command line: one file per verb, listed in one table."""
