"""The workspace: one SQLite file and its audio. SQL stays in here, value objects come out."""
