"""Weights that Auricle knows of: where they come from, what is here, and how they are fetched without surprises."""
