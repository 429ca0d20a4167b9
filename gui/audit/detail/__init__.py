"""All about the one answer that is chosen: lanes, alignment, measurements, judgement, provenance."""
