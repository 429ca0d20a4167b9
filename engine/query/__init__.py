"""Filters over the answers: a grammar, its tree, the SQL it becomes, and the rows that come out."""
