"""Models in this process: where they run, how they are loaded, and their tokens one by one."""
