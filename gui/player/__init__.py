"""One PCM engine: what is heard is rendered here, to the sample."""
