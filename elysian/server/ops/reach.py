"""Reach: the addresses under which a table is found, and from where each of them works."""

from __future__ import annotations

import ipaddress
import os
import socket
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct

from elysian.server.ops.settings import ServerSettings

# An address of those kept for documentation: a socket is bound towards it, and nothing is ever sent.
ELSEWHERE = ("192.0.2.1", 9)

ReachedFrom = Literal["machine", "network", "internet"]


class Link(Struct, frozen=True):
    """An address of the table, and from where it works: this machine, its network, or anywhere."""

    url: str
    where: ReachedFrom


def where_is(host: str) -> ReachedFrom:
    """From where a host can be reached, as far as its name says; a firewall may allow less."""
    if host == "localhost" or host.endswith(".localhost"):
        return "machine"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "network" if host.endswith(".local") or "." not in host else "internet"
    if address.is_loopback:
        return "machine"
    return "internet" if address.is_global else "network"


def link_to(url: str) -> Link:
    """A link with from where it works."""
    return Link(url.rstrip("/"), where_is(urlsplit(url).hostname or ""))


def first_links(settings: ServerSettings) -> tuple[Link, ...]:
    """The links known when a server starts; of one that is not at home only what its operator says."""
    links = [link_to(settings.base_url)] if settings.base_url else []
    if settings.at_home:
        hosts = (*settings.friends, settings.host)
        links += [link_to(f"http://{host}:{settings.port}") for host in hosts]
    return tuple(links)


def own_addresses() -> tuple[str, ...]:
    """The IPv4 addresses of this machine in its networks, the one others most likely see first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as towards:
        try:
            towards.connect(ELSEWHERE)
            found.append(towards.getsockname()[0])
        except OSError:
            found = []  # no network, or none that leads anywhere
    try:
        named = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET, socket.SOCK_STREAM)
    except OSError:
        named = []
    found += [str(one[4][0]) for one in named]
    usable = [one for one in found if not ipaddress.ip_address(one).is_loopback and one != "0.0.0.0"]
    return tuple(dict.fromkeys(usable))


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises OSError when somebody else does, or the address is not ours."""
    at = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        if os.name != "nt":  # there two programs could then have one port; here one just ended is free
            at.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        at.bind((host, port))
        at.listen(128)
    except OSError:
        at.close()
        raise
    return at
