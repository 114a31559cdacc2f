"""Reports: what is counted of games: results, statistics, the story."""
