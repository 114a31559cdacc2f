"""Outbound: one POST to where a notice goes; into a private network only where the operator said so."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from urllib.parse import urlsplit

NAT64 = ipaddress.ip_network("64:ff9b::/96")
# What is assigned to the whole internet: site-local addresses, translations of private ones and whatever else
# Python may take for global lie outside.
UNICAST = ipaddress.ip_network("2000::/3")
ISATAP = 0x5EFE  # before an IPv4 address in the last 64 bits: what it is sent to leads to that address
MOST_READ = 1 << 16  # bytes of an answer; nobody looks at them


class Private(OSError):  # noqa: N818 - says what it is
    """The name stands for an address in a private network."""


def is_public(address: str) -> bool:
    """Whether an address is one of the whole internet's, also where it is wrapped in another."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is None and found in NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is None and int(found) >> 32 & 0xFCFFFFFF == ISATAP:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if found not in UNICAST:
            return False
    return found.is_global and not found.is_multicast


def connected(host: str, port: int, patience: float, private: bool = False) -> socket.socket:
    """A connection to a host; raises Private, before anything is sent, when that is where it leads.

    The address that was looked at is the one connected to: a name that answers otherwise a moment later
    gains nothing.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    if not private and not all(is_public(str(where[0])) for *_, where in found):
        raise Private("a private address")
    problem: OSError = OSError("no address")
    for family, kind, protocol, _, where in found:
        one = socket.socket(family, kind, protocol)
        one.settimeout(patience)
        try:
            one.connect(where)
        except OSError as why:
            problem = why
            one.close()
        else:
            return one
    raise problem


def post(url: str, body: bytes, headers: dict[str, str], patience: float, private: bool = False) -> int:
    """Send something; the status it was answered with. No redirect is followed, and no proxy asked."""
    parts = urlsplit(url)
    secure, host = parts.scheme == "https", parts.hostname or ""
    port = parts.port or (443 if secure else 80)
    link = connected(host, port, patience, private)
    try:
        if secure:
            link = ssl.create_default_context().wrap_socket(link, server_hostname=host)
        connection = http.client.HTTPConnection(host, port, timeout=patience)
        connection.sock = link
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        everything = {"host": parts.netloc, "user-agent": "Elysian", "connection": "close", **headers}
        connection.request("POST", target, body, everything)
        answer = connection.getresponse()
        answer.read(MOST_READ)
        answer.close()
        return answer.status
    finally:
        link.close()
