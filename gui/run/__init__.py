"""The Run screen: what is planned, what goes on, what went wrong; and the one that follows runs for the window."""
