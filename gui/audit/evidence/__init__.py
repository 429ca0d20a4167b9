"""Evidence: what the auditor says of answers, kept, taken back, listed, played and taken out."""
