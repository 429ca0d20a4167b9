"""Brings results home: packs that carry answers and all that is known of them from one workspace to another."""
