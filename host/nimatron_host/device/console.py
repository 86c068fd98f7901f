"""`nimatron console`: the serial console of a Pico, for a person at a terminal or for a script on
a pipe."""

import contextlib
import queue
import threading
import time
from collections.abc import Iterable
from pathlib import Path

from nimatron import protocol
from nimatron_host.device.link import Gone, SerialLink
from nimatron_sim.errors import UserError

_LISTEN_S = 0.1  # between two looks at an idle pipe
_AGAIN_S = 0.5
_HISTORY = "console_history"


def serve(port: str, commands: Iterable[str]) -> None:
    """Send each command, and print its answer, and events as they come; raises UserError."""
    inbox: queue.Queue[str | None] = queue.Queue()

    def collect():
        for command in commands:
            inbox.put(command.strip())
        inbox.put(None)

    with SerialLink(port, _print) as line:
        line.nimatron()
        threading.Thread(target=collect, daemon=True).start()
        while True:
            try:
                command = inbox.get_nowait()
            except queue.Empty:
                said = line.read(_LISTEN_S)
                if said is not None:
                    _print(said)
                continue
            if command is None:
                return
            if command:
                answer = line.ask(command)
                _print(answer)
                if "restarting" in protocol.parse(answer)[2]:
                    _print(line.booted())


def _print(line):
    print(line, flush=True)


def talk(port: str) -> None:
    """Talk to the Pico until Ctrl-D; raises UserError if it is not there at the start."""
    with SerialLink(port) as line:
        known = line.nimatron()
        session = _session(line)
        _show(f"{port}: Nimatron {known['version']}. help lists the commands, Ctrl-D leaves.", "")
        threading.Thread(target=_listen, args=[line], daemon=True).start()
        while True:
            try:
                text = session.prompt("nimatron> ").strip()
            except KeyboardInterrupt:
                continue
            except EOFError:
                return
            if text:
                try:
                    line.send(text)
                except Gone:
                    _show("not sent", "class:error")
                except UserError as why:
                    _show(str(why), "class:error")


def _listen(line):
    """Show each line that comes; if the Pico goes away, wait for it."""
    while True:
        try:
            said = line.read(60)
            if said:
                kind = protocol.parse(said)[0]
                _show(said, f"class:{kind if protocol.is_answer(said) else protocol.EVENT}")
        except UserError:
            _show(f"{line.port} has gone; waiting for it", "class:error")
            _reopen(line)
            _show(f"{line.port} is back", "class:event")


def _reopen(line):
    while True:
        time.sleep(_AGAIN_S)
        with contextlib.suppress(UserError):
            line.open()
            return


def _show(text, style):
    from prompt_toolkit import print_formatted_text
    from prompt_toolkit.formatted_text import FormattedText
    from prompt_toolkit.styles import Style

    styles = Style.from_dict({"event": "ansicyan", "ok": "bold", "error": "ansired bold"})
    print_formatted_text(FormattedText([(style, text)]), style=styles)


def _session(line):
    """A prompt that knows the Pico's commands and the lines of earlier sessions."""
    from platformdirs import user_state_path
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import NestedCompleter
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    commands = dict.fromkeys(line.query("help").get("commands", "help").split(","))
    settings = dict.fromkeys(line.query("settings")) if "settings" in commands else {}
    after = {"help": commands, "set": settings, "settings": settings}
    history = InMemoryHistory()
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
