"""How long conversion takes and how much memory, as ratios to simpler work on the same machine."""
