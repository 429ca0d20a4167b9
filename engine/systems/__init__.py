"""Systems under evaluation: what one is asked and answers, how each is declared, and the kinds there are."""
