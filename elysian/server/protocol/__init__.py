"""Protocol: what travels between server and page, and how it is read."""
