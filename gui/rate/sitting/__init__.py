"""One rater at one session: hears, rates, and sees nothing that tells which system spoke."""
