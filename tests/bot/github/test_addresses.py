"""Where a download may go: hosts by name, forms of an address, and networks."""

import pytest

from bot.github.addresses import Hosts, Unsafe, is_inside, is_public

GITHUB = Hosts(added=("storage.example.com",))
GHES = Hosts("https://ghes.example.com")
LOOPBACK = Hosts("http://127.0.0.1:8099")


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/user-attachments/files/1/a.csv",
        "https://objects.githubusercontent.com/github-production-repository-file-5c1aeb/1/2?X-Amz-Signature=ab%2Fc",
        "https://release-assets.githubusercontent.com/a",
        "https://raw.githubusercontent.com/acme/pilots/main/a.csv",
        "https://github-production-user-asset-6210df.s3.amazonaws.com/1/2?a=b",
        "https://github-production-repository-file-5c1aeb.s3.us-east-1.amazonaws.com/1",
        "https://storage.example.com/a",
        "https://github.com:443/a",
        "https://GitHub.com/a",
    ],
)
def test_allowed(url: str) -> None:
    target = GITHUB.target(url)
    assert target.scheme == "https" and target.port == 443 and not target.any_address


@pytest.mark.parametrize(
    ("why", "url"),
    [
        ("not https", "http://github.com/a"),
        ("not https", "ftp://github.com/a"),
        ("not https", "file:///etc/passwd"),
        ("not https", "gopher://github.com/a"),
        ("not https", "//github.com/a"),
        ("not https", "/relative"),
        ("not GitHub's", "https://example.com/a"),
        ("not GitHub's", "https://github.com.example.com/a"),
        ("not GitHub's", "https://evilgithub.com/a"),
        ("not GitHub's", "https://github.com./a"),
        ("not GitHub's", "https://127.0.0.1/a"),
        ("not GitHub's", "https://[::1]/a"),
        ("not GitHub's", "https://2130706433/a"),
        ("not GitHub's", "https://0x7f000001/a"),
        ("not GitHub's", "https://0177.0.0.1/a"),
        ("not GitHub's", "https://169.254.169.254/latest/meta-data"),
        ("not GitHub's", "https://localhost/a"),
        ("not GitHub's", "https://github-production-evil-6210df.s3.amazonaws.com/a"),
        ("not GitHub's", "https://github-production-user-asset-6210df.s3.amazonaws.com.example.com/a"),
        ("not GitHub's", "https://xn--gthub-n4a.com/a"),
        ("not GitHub's", "https:///a"),
        ("unusual port", "https://github.com:22/a"),
        ("unusual port", "https://objects.githubusercontent.com:8443/a"),
        ("unusual port", "https://github.com:0/a"),
        ("name or password", "https://github.com@example.com/a"),
        ("name or password", "https://user:secret@github.com/a"),
        ("no plain address", "https://g\u0456thub.com/a"),
        ("no plain address", "https://github\u3002com/a"),
        ("no plain address", "https://github.com\\@example.com/a"),
        ("no plain address", "https://github.com/a\r\nX-Evil: 1"),
        ("no plain address", "https://github.com/a b"),
        ("no plain address", "https://github.com:99999/a"),
        ("no plain address", "https://[::1/a"),
    ],
)
def test_refused(why: str, url: str) -> None:
    with pytest.raises(Unsafe, match=why) as refusal:
        GITHUB.target(url)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    ("own", "any_address", "private", "hosts", "url"),
    [
        (True, False, False, GITHUB, "https://github.com/a"),
        (False, False, False, GITHUB, "https://objects.githubusercontent.com/a"),
        (False, False, True, GITHUB, "https://storage.example.com/a"),
        (True, True, True, GHES, "https://ghes.example.com/a"),
        (False, False, True, GHES, "https://media.ghes.example.com/a"),
        (True, True, True, LOOPBACK, "http://127.0.0.1:8099/a"),
    ],
)
def test_what_a_host_is_trusted_with(own: bool, any_address: bool, private: bool, hosts: Hosts, url: str) -> None:
    target = hosts.target(url)
    assert (target.own, target.any_address, target.may_be_private) == (own, any_address, private)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8098/a", "http://127.0.0.1/a", "https://127.0.0.1:8099/a"])
def test_another_port_of_the_server_is_another_server(url: str) -> None:
    with pytest.raises(Unsafe):
        LOOPBACK.target(url)


@pytest.mark.parametrize(
    ("public", "inside", "address"),
    [
        (True, False, "140.82.121.3"),
        (True, False, "2606:50c0:8000::154"),
        (True, False, "64:ff9b::8c52:7903"),
        (False, False, "127.0.0.1"),
        (False, False, "127.8.8.8"),
        (False, False, "0.0.0.0"),  # noqa: S104
        (False, False, "::"),
        (False, False, "::1"),
        (False, False, "169.254.169.254"),
        (False, False, "fe80::1%eth0"),
        (False, True, "10.1.2.3"),
        (False, True, "172.16.0.1"),
        (False, True, "192.168.1.1"),
        (False, True, "100.64.0.1"),
        (False, True, "fd00::1"),
        (False, False, "fec0::1"),
        (False, False, "100.100.100.200"),
        (False, False, "fd00:ec2::254"),
        (False, False, "224.0.0.1"),
        (False, False, "ff02::1"),
        (False, False, "255.255.255.255"),
        (False, False, "::ffff:127.0.0.1"),
        (False, False, "::ffff:140.82.121.3"),
        (False, False, "::127.0.0.1"),
        (False, False, "64:ff9b::7f00:1"),
        (False, False, "64:ff9b::a9fe:a9fe"),
        (False, False, "64:ff9b:1::1"),
        (False, False, "2002:7f00:1::"),
        (False, False, "2001:0:7f00:1::"),
        (False, False, "not an address"),
        (False, False, "2130706433"),
    ],
)
def test_networks(public: bool, inside: bool, address: str) -> None:
    assert (is_public(address), is_inside(address)) == (public, inside)
