"""Long work on a workspace: imports, measuring and judging, each resumable and written in batches."""
