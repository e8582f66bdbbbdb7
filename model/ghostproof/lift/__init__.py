"""From plain functions to relations: source check, symbolic values, terms, systems, and the one door to the solver."""
