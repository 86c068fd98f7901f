"""The address of the MQTT broker, and the bridge's identity."""

import os
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from nimatron_host.kiosk.addresses import is_loopback
from nimatron_sim.errors import UsageError, UserError

LOCAL = "local"
PASSWORD = "NIMATRON_MQTT_PASSWORD"  # the environment variable, also named in the command's help
PORTS = {"mqtt": 1883, "mqtts": 8883}
_EXAMPLE = "mqtts://USER@HOST[:PORT], or local[:PORT]"


@dataclass(frozen=True)
class Broker:
    """The address and credentials of a broker. `tls` is the SSL context, or None for no TLS."""

    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: ssl.SSLContext | None = None

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def remedy(self) -> str:
        """Return the remedy if the broker refuses this user."""
        if self.user and self.password:
            return "check user and password"
        password = f"give the password with --password-file FILE, or in {PASSWORD}"
        if self.user:
            return password
        return f"name the user, mqtt{'s' if self.tls else ''}://USER@{self}, and {password}"

    @property
    def shouts(self) -> bool:
        """Return True if the password is sent unencrypted over a network."""
        return bool(self.password) and not self.tls and not is_loopback(self.host)


def parse(
    url: str,
    password_file: Path | None = None,
    ca: Path | None = None,
    cert: Path | None = None,
    key: Path | None = None,
) -> Broker:
    """Return the broker at `url`. Raises UsageError, or UserError if a file cannot be used."""
    name, colon, number = url.partition(":")
    if name == LOCAL and (not colon or (number.isdecimal() and 0 < int(number) < 65536)):
        if password_file or ca or cert or key:
            raise UsageError(f"--mqtt {url} needs no password and no certificate")
        return Broker("127.0.0.1", int(number or PORTS["mqtt"]))
    parts = urlsplit(url)
    if parts.password is not None:
        raise UsageError(
            "a password on the command line can be read by all users of this computer. Put it "
            f"into a file and name that with --password-file, or into {PASSWORD}"
        )
    try:
        port = parts.port or PORTS[parts.scheme]
    except (KeyError, ValueError):
        port = 0
    if not port or not parts.hostname or parts.path not in ("", "/") or parts.query:
        raise UsageError(f"{url} is not the URL of a broker. Give {_EXAMPLE}")
    tls = None
    if parts.scheme == "mqtts":
        tls = _tls(ca, cert, key)
    elif ca or cert or key:
        raise UsageError("--ca, --cert and --key are for TLS. Give a URL with mqtts://")
    password = _password(password_file)
    user = unquote(parts.username) if parts.username else None
    if password and not user:
        raise UsageError(f"a password needs a user. Give {_EXAMPLE}")
    return Broker(parts.hostname, port, user, password, tls)


def _password(file: Path | None) -> str | None:
    if not file:
        return os.environ.get(PASSWORD) or None
    try:
        return file.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as why:
        raise UserError(f"cannot read the password from {file}: {_reason(why)}") from None


def _tls(ca: Path | None, cert: Path | None, key: Path | None) -> ssl.SSLContext:
    if key and not cert:
        raise UsageError("--key is the key of a certificate. Name that with --cert")
    try:
        context = ssl.create_default_context(cafile=ca)
    except (OSError, ssl.SSLError) as why:
        raise UserError(f"cannot use the CA certificate {ca}: {_reason(why)}") from None
    if cert:
        try:
            context.load_cert_chain(cert, key, password="")
        except (OSError, ssl.SSLError) as why:
            raise UserError(
                f"cannot use the certificate {cert} with its key: {_reason(why)}"
            ) from None
    return context


def _reason(why: Exception) -> str:
    return getattr(why, "strerror", None) or str(why)
