"""The server of the page."""
