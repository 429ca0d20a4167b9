"""Blind ratings by people: protocols, studies and their order, what was heard, results, bundles."""
