"""Which hosts and addresses a download may go to: GitHub's own by name, and none inside a private network."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

PUBLIC_PAGES = "https://github.com"
PUBLIC_HOSTS = frozenset({
    "github.com", "www.github.com", "codeload.github.com", "raw.githubusercontent.com", "objects.githubusercontent.com",
    "release-assets.githubusercontent.com", "media.githubusercontent.com", "user-images.githubusercontent.com",
    "private-user-images.githubusercontent.com", "github-cloud.githubusercontent.com", "github-cloud.s3.amazonaws.com",
})  # fmt: skip
_STORAGE = re.compile(
    r"github-production-(user-asset|repository-file|repository-image|release-asset)-[0-9a-f]{4,12}"
    r"\.s3(\.[a-z]{2}-[a-z]+-\d)?\.amazonaws\.com"
)
_HOST = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,62}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,62}[a-z0-9_])?)*")
_NAT64 = IPv6Network("64:ff9b::/96")
_REFUSED_V6 = tuple(IPv6Network(net) for net in ("::ffff:0:0/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96"))
"""IPv4 addresses in disguise, which no public host needs."""
_INSIDE = tuple(
    ip_network(net) for net in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")
)
_CREDENTIALS = tuple(ip_network(net) for net in ("fd00:ec2::/32", "100.100.100.200/32"))


class Unsafe(Exception):
    """A target that is not asked. The message is a short reason that may be shown."""


@dataclass(frozen=True)
class Target:
    """Where one request goes. `own` is GitHub's pages' host, to which alone a token may go.

    `any_address`: the operator named this host as the Enterprise Server; `may_be_private`: it belongs to that server or
    is storage that the operator named.
    """

    scheme: str
    host: str
    port: int
    path: str
    own: bool
    any_address: bool
    may_be_private: bool


@dataclass(frozen=True)
class Hosts:
    """The hosts of one installation: GitHub's pages, and what the operator added."""

    pages_url: str = PUBLIC_PAGES
    added: tuple[str, ...] = ()

    def target(self, url: str) -> Target:
        """The request's target. Raises Unsafe for a scheme, host, port or form that is not allowed."""
        parts = _parts(url)
        host, pages = (parts.hostname or "").lower(), urlsplit(self.pages_url)
        own = (parts.scheme, host, _port(parts)) == (pages.scheme, pages.hostname, _port(pages))
        if not own:
            self._check(parts, host)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        named = self._is_enterprise and (own or self._is_below(host))
        return Target(
            parts.scheme, host, _port(parts), path, own, own and self._is_enterprise, named or host in self.added
        )

    @property
    def _is_enterprise(self) -> bool:
        return urlsplit(self.pages_url).hostname != urlsplit(PUBLIC_PAGES).hostname

    def _is_below(self, host: str) -> bool:
        """A server with subdomain isolation hands out files on hosts below its own."""
        return self._is_enterprise and host.endswith(f".{urlsplit(self.pages_url).hostname}")

    def _check(self, parts: SplitResult, host: str) -> None:
        if parts.scheme != "https":
            raise Unsafe(f"leads to {parts.scheme or 'no'}:, not https:")
        if _port(parts) != 443:
            raise Unsafe("leads to an unusual port")
        if not _HOST.fullmatch(host) or not self._is_allowed(host):
            raise Unsafe(f"leads to {host[:100] or 'no host'}, which is not GitHub's")

    def _is_allowed(self, host: str) -> bool:
        return host in self.added or host in PUBLIC_HOSTS or bool(_STORAGE.fullmatch(host)) or self._is_below(host)


def _parts(url: str) -> SplitResult:
    if not url.isascii() or any(letter <= " " or letter in '\\"<>^`{|}\x7f' for letter in url):
        raise Unsafe("is no plain address")
    try:
        parts = urlsplit(url)
        _port(parts)
    except ValueError:
        raise Unsafe("is no plain address") from None
    if "@" in parts.netloc:
        raise Unsafe("holds a name or password")
    return parts


def _port(parts: SplitResult) -> int:
    return parts.port if parts.port is not None else {"https": 443, "http": 80}.get(parts.scheme, 0)


def is_public(text: str) -> bool:
    """Whether an address is one of the open internet: no private, local, shared or reserved one, and no group."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        if address in _NAT64:
            return is_public(str(IPv4Address(int(address) & 0xFFFFFFFF)))
        if address.is_site_local or any(address in network for network in _REFUSED_V6):
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_loopback)


def is_inside(text: str) -> bool:
    """Whether an address is of a private network, where an operator's own storage may be; never this machine's own,
    the link's, or one at which a cloud offers its credentials.
    """
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return any(address in net for net in _INSIDE) and not any(address in net for net in _CREDENTIALS)
