"""waitress as it is run in production: bounded bodies, room for stalled clients, no banner."""

from typing import Any

from flask import Flask
from waitress.server import create_server

MIB = 2**20
THREADS = 32
PARAMETERS: dict[str, Any] = {
    "threads": THREADS,
    "recv_bytes": 65_536,
    "max_request_body_size": 26 * MIB,
    "max_request_header_size": 65_536,
    # A stalled client costs a socket, and beyond `inbuf_overflow` a temporary file, but no thread.
    "connection_limit": 250,
    "inbuf_overflow": 131_072,
    "channel_timeout": 60,
    "cleanup_interval": 10,
    "asyncore_use_poll": True,
    # Kept, so that /metrics can tell a proxy of this machine from this machine; nothing trusts them.
    "clear_untrusted_proxy_headers": False,
    "ident": None,
}


def server(app: Flask, host: str, port: int) -> Any:
    """A bound waitress server: `.run()` serves until `.close()`; `.effective_port` says where for port 0."""
    return create_server(app, host=host, port=port, **PARAMETERS)
