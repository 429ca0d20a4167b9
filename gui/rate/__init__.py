"""Rate: rating sessions as their owner sees them, and the screen on which a rater rates."""
