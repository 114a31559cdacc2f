"""Ops: settings, limits, metrics, logs, and the one way the server says no."""
