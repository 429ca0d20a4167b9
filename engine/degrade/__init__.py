"""Makes clean speech worse in known ways: six interferences at published levels, drawn from a seed, measured after."""
