"""Ratings to and from the files of other programs: tables, JSONL, Label Studio; and what raters disagreed about."""
