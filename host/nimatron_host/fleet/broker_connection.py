"""A connection to the broker that is renewed automatically."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import aiomqtt

from nimatron_host.fleet.broker import Broker
from nimatron_sim.errors import UserError

AT_ONCE = 200  # the most messages that wait for acknowledgement
_AGAIN_S, _SELDOM_S = 0.5, 5.0  # the first and the longest pause between attempts
_KEEPALIVE_S = 30
_REFUSED = ("Not authorized", "Bad user name or password")

log = logging.getLogger("nimatron.fleet")


class Unfit(Exception):
    """The exception for a broker that lacks a feature that the bridge needs."""


class Connection:
    """A connection to a broker. `identifier` stays the same after a restart. The broker ends an
    earlier connection with this identifier, and publishes its last will."""

    def __init__(self, broker: Broker, identifier: str, will: aiomqtt.Will) -> None:
        self.up = False
        self._broker = broker
        self._identifier = identifier
        self._will = will
        self._complaint = ""

    async def keep(self, converse: Callable[[aiomqtt.Client], Awaitable[None]]) -> None:
        """Connect and call `converse` repeatedly, even after failures. Raises UserError if the
        broker refuses the first connection."""
        welcome, wait = False, _AGAIN_S
        while True:
            try:
                async with self._client() as client:
                    self.up = True
                    await converse(client)
            except (aiomqtt.MqttError, Unfit) as why:
                if self.up:
                    welcome, wait = True, _AGAIN_S
                self.up = False
                self._complain(why, welcome)
            await asyncio.sleep(wait)
            wait = min(2 * wait, _SELDOM_S)

    def works(self) -> None:
        """Report that the broker works."""
        self._complaint = ""
        log.info("broker %s: connected", self._broker)

    def _client(self) -> aiomqtt.Client:
        client = aiomqtt.Client(
            self._broker.host,
            self._broker.port,
            username=self._broker.user,
            password=self._broker.password,
            identifier=self._identifier,
            will=self._will,
            tls_context=self._broker.tls,
            keepalive=_KEEPALIVE_S,
            max_inflight_messages=AT_ONCE,
            max_queued_outgoing_messages=0,
        )
        client.pending_calls_threshold = 10 * AT_ONCE
        # If the broker answers after the timeout, aiomqtt leaves an unread error.
        if left := getattr(client, "_disconnected", None):
            left.add_done_callback(lambda done: done.cancelled() or done.exception())
        return client

    def _complain(self, why: Exception, welcome: bool) -> None:
        """Report a fault of the broker once."""
        text = " ".join(str(why).split())
        if not welcome and any(refused in text for refused in _REFUSED):
            raise UserError(
                f"the broker {self._broker} refuses this user: {text}. {self._broker.remedy}"
            )
        if not welcome and "CERTIFICATE" in text:
            remedy = "To name its CA: --ca FILE"
            if "ostname mismatch" in text or "IP address mismatch" in text:
                remedy = "Use a name from its certificate in --mqtt"
            raise UserError(
                f"the broker {self._broker} has no certificate that this computer trusts: {text}. "
                + remedy
            )
        if text != self._complaint:
            self._complaint = text
            start = ". Install Mosquitto, or start it" if "refused" in text else ""
            log.warning(
                "broker %s: %s%s. Events are kept until it is back", self._broker, text, start
            )
