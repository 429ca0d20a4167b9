"""What the workstation knows: audio, text, metrics, systems, judges, benchmarks, the store. No Qt."""

__version__ = "0.1.0"
