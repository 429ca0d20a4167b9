"""Correcting by ear what a recogniser heard, and measuring or judging chosen answers again."""
