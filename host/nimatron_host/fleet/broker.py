"""The MQTT broker: where it is, who we are to it, and one of this computer's own."""

import ipaddress
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from nimatron_sim.errors import UsageError, UserError

LOCAL = "local"
PASSWORD = "NIMATRON_MQTT_PASSWORD"  # as in the help of the command
PORTS = {"mqtt": 1883, "mqtts": 8883}
INSTALL = "install it, on Debian with: sudo apt install mosquitto"
_EXAMPLE = "mqtts://USER@HOST[:PORT], or local[:PORT]"
_START_S = 20
_LISTENER = re.compile(r"listener (\d+) ")


@dataclass(frozen=True)
class Broker:
    """How to reach a broker. tls: None without TLS. own: of this computer, and started by whoever
    needs it unless it runs; see Local."""

    host: str
    port: int
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: ssl.SSLContext | None = None
    own: bool = False

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def remedy(self) -> str:
        """What to do when it refuses this user."""
        if self.user and self.password:
            return "check user and password"
        password = f"give the password with --password-file FILE, or in {PASSWORD}"
        if self.user:
            return password
        return f"name the user, mqtt{'s' if self.tls else ''}://USER@{self}, and {password}"

    @property
    def shouts(self) -> bool:
        """True if the password crosses a network in the clear."""
        return bool(self.password) and not self.tls and not _is_loopback(self.host)


def parse(
    url: str,
    password_file: Path | None = None,
    ca: Path | None = None,
    cert: Path | None = None,
    key: Path | None = None,
) -> Broker:
    """The broker of this URL. Raises UsageError, or UserError if a file cannot be used."""
    name, colon, number = url.partition(":")
    if name == LOCAL and (not colon or (number.isdecimal() and 0 < int(number) < 65536)):
        if password_file or ca or cert or key:
            raise UsageError(f"--mqtt {url} needs no password and no certificate")
        return Broker("127.0.0.1", int(number or PORTS["mqtt"]), own=True)
    parts = urlsplit(url)
    if parts.password is not None:
        raise UsageError(
            "a password on the command line can be read by all users of this computer; put it "
            f"into a file and name that with --password-file, or into {PASSWORD}"
        )
    try:
        port = parts.port or PORTS[parts.scheme]
    except (KeyError, ValueError):
        port = 0
    if not port or not parts.hostname or parts.path not in ("", "/") or parts.query:
        raise UsageError(f"{url} is not the URL of a broker; give {_EXAMPLE}")
    tls = None
    if parts.scheme == "mqtts":
        tls = _tls(ca, cert, key)
    elif ca or cert or key:
        raise UsageError("--ca, --cert and --key are for TLS; give a URL with mqtts://")
    password = _password(password_file)
    user = unquote(parts.username) if parts.username else None
    if password and not user:
        raise UsageError(f"a password needs a user; give {_EXAMPLE}")
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
        raise UsageError("--key is the key of a certificate; name that with --cert")
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


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def running(broker: Broker, folder: Path) -> Broker:
    """This broker. One of this computer that is not at the usual port is where a bridge with its
    state in this folder has started it; raises UserError if it is not there either."""
    if not broker.own or _serves(broker.port):
        return broker
    noted = _noted(folder)
    if broker.port == PORTS["mqtt"] and noted and _serves(noted):
        return replace(broker, port=noted)
    raise UserError(
        f"no broker serves port {broker.port} of this computer; start one with "
        "`nimatron fleet --mqtt local`, or name another port: local:PORT"
    )


class Local:
    """A Mosquitto of our own, for this computer only, unless a broker serves the port already.
    Raises UserError."""

    def __init__(self, folder: Path, port: int) -> None:
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None
        if not _serves(port):
            self._start(_config(folder))

    def close(self) -> None:
        if self._process:
            self._process.terminate()
            self._process.wait()

    def _start(self, config: Path) -> None:
        program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
        if not program:
            raise UserError(f"--mqtt local needs the broker Mosquitto; {INSTALL}")
        folder = config.parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
            config.write_text(
                f"listener {self._port} 127.0.0.1\nallow_anonymous true\npersistence true\n"
                f"persistence_location {folder}/\nmax_queued_messages 100000\n",
                encoding="utf-8",
            )
            log = (folder / "mosquitto.log").open("wb")
        except OSError as why:
            raise UserError(
                f"cannot keep the broker's files in {folder}: {why.strerror}; choose another "
                "folder with --state DIR"
            ) from None
        with log:
            # In a group of its own: Ctrl-C is for the bridge, which says good-bye to the broker.
            self._process = subprocess.Popen(
                [program, "-c", config], stderr=log, stdout=log, start_new_session=True
            )
        end = time.monotonic() + _START_S
        while not _serves(self._port):
            if self._process.poll() is not None or time.monotonic() > end:
                self.close()
                raise UserError(f"Mosquitto does not start; {log.name} says why")
            time.sleep(0.05)


def _config(folder: Path) -> Path:
    """The configuration of a Mosquitto of our own, with the state of a bridge in this folder."""
    return folder / "mosquitto" / "mosquitto.conf"


def _noted(folder: Path) -> int | None:
    """The port that the last Mosquitto of our own has got there."""
    try:
        there = _LISTENER.match(_config(folder).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
    return int(there[1]) if there else None


def _serves(port: int) -> bool:
    """True if somebody of this computer does."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True
