"""What is written, made comparable with what is said: spoken forms, syllables, tokens."""
