"""Settings: judge endpoints, recogniser, sound, look, keys, and where things lie."""
