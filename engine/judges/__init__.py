"""Judges: versioned rubrics, the question put to a model, its reply read, and the calls to an endpoint."""
