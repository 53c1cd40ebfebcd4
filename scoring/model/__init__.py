"""The nouns of a decision."""
