"""`nimatron console`: the serial console of a Pico, for a person or a script on a pipe."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from nimatron import protocol
from nimatron_host.device.link import Gone, SerialLink
from nimatron_host.device.manual import explained
from nimatron_sim.errors import UserError, check_refused
from nimatron_sim.text_encoding import escaped, escaped_print

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import History
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

_LISTEN_S = 0.1  # between two checks of an idle pipe, or of the person's presence
_AGAIN_S = 0.5
_TWICE_S = 1  # two Ctrl-C within this time end the console
_HISTORY = "console_history"


def serve(port: str, commands: Iterable[str]) -> None:
    """Send each command and print its answer, and print events as they come.

    Raises UserError, or, after the last command, Refused if some commands were refused.
    """
    inbox: queue.Queue[str | None] = queue.Queue()

    def collect() -> None:
        for command in commands:
            inbox.put(command.strip())
        inbox.put(None)

    def show(said: str) -> None:
        escaped_print(explained(said))

    with SerialLink(port, show) as line:
        line.nimatron()
        threading.Thread(target=collect, daemon=True).start()
        kinds = []
        while True:
            try:
                command = inbox.get_nowait()
            except queue.Empty:
                said = line.read(_LISTEN_S)
                if said is not None:
                    show(said)
                continue
            if command is None:
                break
            if command:
                answer = line.ask(command)
                show(answer)
                kind, _, values = protocol.parse(answer)
                kinds.append(kind)
                if "restarting" in values:
                    escaped_print(line.booted())
    check_refused(kinds.count(protocol.ERROR), len(kinds))


def talk(port: str) -> None:
    """Talk to the Pico until Ctrl-D. Raises UserError if no Pico is there at the start."""
    with SerialLink(port) as line:
        known = line.nimatron()
        session = _session(line)
        _show(
            f"{port}: Nimatron {known['version']}. help lists the commands, Ctrl-D leaves. Ctrl-C "
            "goes to the Pico. Press it twice within a second to leave.",
            "",
        )
        left = threading.Event()
        listener = threading.Thread(target=_listen, args=[line, left], daemon=True)
        listener.start()
        try:
            _talk(line, session)
        finally:
            left.set()
            listener.join()  # before the port is closed


def _talk(line: SerialLink, session: PromptSession[str]) -> None:
    ctrl_c = _CtrlC(line)
    while True:
        try:
            text = session.prompt("nimatron> ", key_bindings=ctrl_c.binding()).strip()
            if text:
                _type(line, text)
        except EOFError:
            return
        except KeyboardInterrupt:  # Ctrl-C between two prompts
            if ctrl_c.pressed():
                return


class _CtrlC:
    """A counter of Ctrl-C. The first goes to the Pico. A second soon after ends the console."""

    def __init__(self, line: SerialLink) -> None:
        self._line = line
        self._last: float = -_TWICE_S

    def pressed(self) -> bool:
        """Count a Ctrl-C. Return True if the console should end."""
        now = time.monotonic()
        if now - self._last < _TWICE_S:
            return True
        self._last = now
        _type(self._line)
        return False

    def binding(self) -> KeyBindings:
        from prompt_toolkit.key_binding import KeyBindings

        keys = KeyBindings()

        @keys.add("c-c")
        def pressed(event: KeyPressEvent) -> None:
            event.current_buffer.reset()
            if self.pressed():
                event.app.exit(exception=EOFError)

        return keys


def _type(line: SerialLink, text: str | None = None) -> None:
    """Send a line, or Ctrl-C. `_listen` reports when the Pico disappears and comes back."""
    try:
        if text is None:
            line.interrupt()
        else:
            line.send(text)
    except Gone:
        what = "Ctrl-C" if text is None else f"`{text}`"
        _show(f"{what} was lost: there is no Pico at {line.port} now", "class:error")
    except UserError as why:
        _show(str(why), "class:error")


def _listen(line: SerialLink, left: threading.Event) -> None:
    """Show each line that comes. If the Pico goes away, wait for it. Stop when `left` is set, when
    the person has left."""
    while not left.is_set():
        try:
            said = line.read(_LISTEN_S)
            if said:
                kind = protocol.parse(said)[0]
                _show(
                    explained(said),
                    f"class:{kind if protocol.is_answer(said) else protocol.EVENT}",
                )
        except UserError:
            _show(f"{line.port} has gone. Waiting for it", "class:error")
            if _reopened(line, left):
                _show(f"{line.port} is back", "class:event")


def _reopened(line: SerialLink, left: threading.Event) -> bool:
    """Wait until the port is back. Return False if the person leaves first."""
    while not left.wait(_AGAIN_S):
        with contextlib.suppress(UserError):
            line.open()
            return True
    return False


def _show(text: str, style: str) -> None:
    from prompt_toolkit import print_formatted_text
    from prompt_toolkit.formatted_text import FormattedText
    from prompt_toolkit.styles import Style

    styles = Style.from_dict({"event": "ansicyan", "ok": "bold", "error": "ansired bold"})
    print_formatted_text(FormattedText([(style, escaped(text))]), style=styles)


def _session(line: SerialLink) -> PromptSession[str]:
    """Return a prompt with the Pico's commands and the lines from earlier sessions."""
    from platformdirs import user_state_path
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import NestedCompleter
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    commands = dict.fromkeys(line.query("help").get("commands", "help").split(","))
    settings = dict.fromkeys(line.query("settings")) if "settings" in commands else {}
    after = {"help": commands, "set": settings, "settings": settings}
    history: History = InMemoryHistory()
    with contextlib.suppress(OSError):
        folder: Path = user_state_path("nimatron", ensure_exists=True)
        (folder / _HISTORY).touch()
        history = FileHistory(str(folder / _HISTORY))
    return PromptSession(
        history=history,
        completer=NestedCompleter.from_nested_dict(
            {command: after.get(command) or None for command in commands}
        ),
    )
