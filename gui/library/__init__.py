"""The Library screen: workspaces, what is in them, what to do next, imports, and this computer."""
