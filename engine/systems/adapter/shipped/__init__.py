"""One short file for each published system that runs in an environment of its own; see ``adapter_worker``."""
