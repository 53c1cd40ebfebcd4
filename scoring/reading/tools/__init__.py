"""Files that tools write, one reader a file; `scoring/reading/registry.py` lists them."""
