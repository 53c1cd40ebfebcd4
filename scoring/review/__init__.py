"""The quarterly review: what is committed, used, due, decided and brought, as a value."""
