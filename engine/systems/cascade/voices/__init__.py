"""Synthesisers of cascades: one file each, named in ``VOICES``."""
