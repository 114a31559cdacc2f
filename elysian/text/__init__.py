"""The table as text: cards, the drawing, the planner; for a terminal and for players who read."""
