"""From measurements and judgements to verdicts, scores and the papers' tables, under two methods."""
