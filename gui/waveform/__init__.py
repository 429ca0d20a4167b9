"""Question and answer on one time line: drawn from their peaks, pointed at, chosen from and listened to."""
