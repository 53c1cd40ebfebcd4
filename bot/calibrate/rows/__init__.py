"""The claims that are calibrated: one file a claim, each with a ROW or two; `registry` lists them."""
