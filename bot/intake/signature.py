"""Is a delivery from GitHub? Its HMAC over the bytes as they came, compared in constant time."""

import hashlib
import hmac
import re
from collections.abc import Sequence

HEADER = "X-Hub-Signature-256"
_FORM = re.compile(r"sha256=([0-9a-f]{64})", re.ASCII)


def signed_by(secrets: Sequence[str], body: bytes, header: str | None) -> int | None:
    """The position from 1 of the secret that signed `body`; None where none of them did.

    All secrets are tried whichever matches, so that the time tells nothing about which.
    """
    given = _FORM.fullmatch(header or "")
    claimed = bytes.fromhex(given[1]) if given else bytes(32)
    matches = [hmac.compare_digest(hmac.digest(s.encode(), body, hashlib.sha256), claimed) for s in secrets]
    return matches.index(True) + 1 if given and any(matches) else None
