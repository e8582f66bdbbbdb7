"""Wrong variants: each lacks one thing that a right one has, and stands for a mistake that is made in practice."""
