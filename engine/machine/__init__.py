"""What this computer can do for Auricle, and how to get what is missing; nothing heavy is imported to find out."""
