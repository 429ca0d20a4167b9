"""Benchmarks and recorded outputs: their own files in, value objects and named problems out."""
