"""Live: tables in memory; one task each decides, stores, and only then tells."""
