"""The pages and end points that people and machines open."""
