"""Statistics of ratings: agreement, intervals, tests. Pure functions of arrays and values."""
