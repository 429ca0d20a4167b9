"""Bundles: one signed file with all that a rater elsewhere needs and nothing that tells a system; results come back."""
