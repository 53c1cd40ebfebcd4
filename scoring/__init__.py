"""The engine: values in, values out. It opens no socket, reads no clock and imports nothing of the shell."""
