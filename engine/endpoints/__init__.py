"""What every caller of an OpenAI-compatible endpoint needs: its key, how long to wait, what a completion says."""
