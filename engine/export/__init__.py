"""Exports: answers taken out of a workspace as tables, records, clips or one page with players."""
