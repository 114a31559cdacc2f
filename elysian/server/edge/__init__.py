"""Edge: what the network sees: HTTP, the socket, the built page; nothing else imports it."""
