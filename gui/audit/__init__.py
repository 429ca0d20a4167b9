"""The Audit screen: find what is wrong among the answers, and hear it."""
