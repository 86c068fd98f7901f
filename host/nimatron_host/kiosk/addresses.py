"""The addresses at which other computers can reach this computer."""

import socket
from ipaddress import ip_address

ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # all networks: only this computer


def is_loopback(host: str | None) -> bool:
    """Return True if only this computer can reach the address."""
    if host == "localhost":
        return True
    try:
        return ip_address((host or "").strip("[]")).is_loopback
    except ValueError:
        return False


def urls(host: str, port: int) -> list[str]:
    """Return the URLs of a server that listens at `host`. If it listens everywhere, return a URL
    for each address of this computer, IPv4 first. The name of the computer is used only if it has
    no address, because phones rarely find a computer by name."""
    if host not in ANYWHERE:
        return [url(host, port)]
    import ifaddr  # needs the extra `kiosk`

    found = [
        address
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if (address := ip_address(ip.ip if isinstance(ip.ip, str) else ip.ip[0]))
        and not (address.is_loopback or address.is_link_local)
        and (address.version == 4 or host == "::")
    ]
    hosts = [str(ip) for ip in sorted(set(found), key=lambda ip: (ip.version, ip.is_global, ip))]
    return [url(host, port) for host in hosts or [socket.gethostname()]]


def url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
