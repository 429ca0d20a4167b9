"""A page that shows every shared part in its states."""
