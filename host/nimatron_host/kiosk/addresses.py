"""Where other computers find this one."""

import socket
from ipaddress import ip_address

import ifaddr

from nimatron_sim.ui.kiosk.server import is_loopback

ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # and where this computer itself finds it


def urls(host: str, port: int) -> list[str]:
    """The URLs of a server that listens there: for a server that listens everywhere, one for each
    address of this computer, IPv4 first, because a phone knows addresses better than names; its
    name last."""
    if host not in ANYWHERE:
        return [url(host, port)]
    found = [
        address
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if (address := ip_address(ip.ip if ip.is_IPv4 else ip.ip[0]))
        and not (address.is_loopback or address.is_link_local)
        and (address.version == 4 or host == "::")
    ]
    hosts = [str(ip) for ip in sorted(set(found), key=lambda ip: (ip.version, ip.is_global, ip))]
    name = socket.gethostname()
    return [url(host, port) for host in [*hosts, *([] if is_loopback(name) else [name])]]


def url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
