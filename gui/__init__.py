"""What the user sees. Imports the engine; holds no rule about audio, scores or ratings."""
