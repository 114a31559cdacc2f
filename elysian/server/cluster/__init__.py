"""Cluster: several processes on one database: the lease of a game, the bus between them, the supervisor."""
