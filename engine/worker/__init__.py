"""The process that infers: its protocol, the loop it runs, and the client that starts it, asks it and outlives it."""
