"""Before the first item: can the rater hear well, and is left left."""
