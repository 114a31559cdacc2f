"""Background: what happens at tables without anybody asking: bots, timers, cover, notices."""
