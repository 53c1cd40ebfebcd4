"""What GitHub sends: verified, sorted, and durably accepted before it is answered."""
