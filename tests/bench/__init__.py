"""How long conversion and check take and how much memory, as ratios to simpler work on the same machine."""
