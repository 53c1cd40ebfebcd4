"""Bytes become tables, tables become runs; nothing is guessed silently and nothing posted is lost."""
