"""Systems beside each other: their answers to one instance, heard in turn, and their measures as charts."""
