"""Slash commands: their grammar, and one file for each command."""
