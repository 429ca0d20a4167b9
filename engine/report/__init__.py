"""Reports: what a workspace found, as one file for people."""
