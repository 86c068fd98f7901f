"""The radio around a Pico W: an open access point, and the servers that a test puts behind it.
Nothing leaves this process, so a run is the same each time.

The emulated radio, its access point and its DHCP server are rp2040py's. Here are a name server and
the other end of TCP.
"""

import struct
from collections.abc import Callable, Sequence

from rp2040py.external.cyw43 import net
from rp2040py.external.cyw43.nat import (
    GATEWAY_MAC,
    NatBridge,
    TcpFlow,
    TcpFlowKey,
    TcpReflector,
    _FlowState,
)

from pico_testbench.parts import Server

_FIRST_HOST = 10  # the last byte of the first address for hosts: 10.1.0.10
_DNS = 53
_ANSWER, _NO_SUCH_NAME = 0x8180, 0x8183  # flags
_POINTER, _A, _IN = 0xC00C, 1, 1  # the name of the question, an IPv4 address, the internet
_NO_TIME = 0  # the seconds for which the answer may be cached
_FIRST_SEQUENCE = 1000
_MSS = 536

Queue = Callable[[bytes], None]  # a function that takes a frame for the Pico


class Network:
    """A network with an access point and these servers."""

    def __init__(self, bridge: NatBridge, servers: Sequence[Server], queue: Queue):
        hosts = dict.fromkeys(server.host for server in servers)
        addresses = {host: bytes([10, 1, 0, _FIRST_HOST + n]) for n, host in enumerate(hosts)}
        bridge._udp = _Names(addresses, queue)  # type: ignore[assignment]  # its methods that the bridge calls
        bridge._tcp = _Tcp(
            {(addresses[server.host], server.port): server for server in servers}, queue
        )


class _Names:
    """The name server, which the access point's DHCP server gives to the Pico."""

    def __init__(self, addresses: dict[str, bytes], queue: Queue):
        self._addresses = addresses
        self._queue = queue

    def maybe_handle(self, eth: net.EthernetFrame) -> bool:
        ip = net.parse_ipv4(eth.payload)
        udp = net.parse_udp(ip.payload) if ip else None
        if ip and udp and udp.dst_port == _DNS:
            answer = self._answer(udp.payload)
            reply = net.pack_udp(ip.dst_ip, ip.src_ip, _DNS, udp.src_port, answer)
            packet = net.pack_ipv4(ip.dst_ip, ip.src_ip, net.IP_PROTO_UDP, reply)
            self._queue(net.pack_ethernet(eth.src_mac, GATEWAY_MAC, net.ETHERTYPE_IPV4, packet))
        return True

    def _answer(self, query: bytes) -> bytes:
        labels, at = [], 12
        while query[at]:
            labels.append(query[at + 1 : at + 1 + query[at]].decode())
            at += 1 + query[at]
        question = query[12 : at + 5]
        address = self._addresses.get(".".join(labels))
        flags = _ANSWER if address else _NO_SUCH_NAME
        head = query[:2] + struct.pack(">5H", flags, 1, 1 if address else 0, 0, 0)
        if not address:
            return head + question
        return head + question + struct.pack(">3HIH", _POINTER, _A, _IN, _NO_TIME, 4) + address


class _Tcp(TcpReflector):
    """The servers' end of TCP. A server's answer is sent as fast as the Pico has room for it. Then
    the connection is closed."""

    def __init__(self, servers: dict[tuple[bytes, int], Server], queue: Queue):
        super().__init__(None, queue)  # type: ignore[arg-type]  # our overrides need no host
        self._servers = servers

    def _begin_new_connection(
        self, eth: net.EthernetFrame, ip: net.Ipv4Packet, tcp: net.TcpSegment, key: TcpFlowKey
    ) -> None:
        flow = TcpFlow(
            key=key,
            guest_mac=eth.src_mac,
            guest_ip=ip.src_ip,
            guest_iss=tcp.seq,
            guest_next_seq=(tcp.seq + 1) & 0xFFFFFFFF,
            guest_window=tcp.window,
            mss=min(tcp.mss or _MSS, _MSS),
        )
        server = self._servers.get((key.dst_ip, key.dst_port))
        if not server:
            flags = net.TCP_RST | net.TCP_ACK
            self._queue_ethernet_frame(self._build_tcp_frame(flow, flags=flags, seq=0))
            return
        self._flows[key] = flow
        flow.host_iss = _FIRST_SEQUENCE
        flow.state = _FlowState.SYN_RCVD
        flow.writer = _Session(server)  # type: ignore[assignment]  # the methods that the reflector calls
        flags = net.TCP_SYN | net.TCP_ACK
        self._queue_ethernet_frame(
            self._build_tcp_frame(flow, flags=flags, seq=flow.host_iss, mss=flow.mss)
        )

    def _on_guest_segment(self, flow: TcpFlow, tcp: net.TcpSegment) -> None:
        super()._on_guest_segment(flow, tcp)
        session = flow.writer
        assert isinstance(session, _Session)
        while session.unsent:
            room = flow.guest_window - flow.bytes_relayed_to_guest + flow.bytes_acked_by_guest
            piece = session.unsent[: min(flow.mss, max(room, 0))]
            if not piece:
                return
            flags = net.TCP_ACK | net.TCP_PSH
            self._queue_ethernet_frame(self._build_tcp_frame(flow, flags=flags, payload=piece))
            flow.bytes_relayed_to_guest += len(piece)
            session.unsent = session.unsent[len(piece) :]
        if session.answered and not flow.host_fin_sent:
            flow.host_fin_sent = True
            flags = net.TCP_FIN | net.TCP_ACK
            self._queue_ethernet_frame(self._build_tcp_frame(flow, flags=flags))
            self._maybe_evict(flow)


class _Session:
    """A server's end of a connection, where rp2040py has the writer of a socket."""

    def __init__(self, server: Server):
        self._server = server
        self._received = b""
        self.unsent = b""
        self.answered = False

    def write(self, data: bytes) -> None:
        self._received += data
        answer = None if self.answered else self._server.takes(self._received)
        if answer is not None:
            self.unsent, self.answered = answer, True

    def can_write_eof(self) -> bool:
        return False

    def close(self) -> None:
        pass
