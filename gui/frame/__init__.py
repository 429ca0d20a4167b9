"""The frame every screen hangs in: rail, status line, commands, keys, and what to say when something breaks."""
