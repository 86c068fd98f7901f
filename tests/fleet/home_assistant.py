"""A real Home Assistant, spoken to as its own pages do: REST where there is nothing else, its
WebSocket for the rest."""

import asyncio
import json
import os
import subprocess
import sys
import urllib.parse
import urllib.request

import aiohttp

from mosquitto import free_port, until

VARIABLE = "NIMATRON_HOMEASSISTANT"
_PATIENCE_S = 180  # for its first start
_USER = {"name": "keeper", "username": "keeper", "password": "keeper", "language": "en"}


def python():
    """The Python that has Home Assistant; None if there is none."""
    here = os.environ.get(VARIABLE, sys.executable)
    found = subprocess.run([here, "-c", "import homeassistant"], capture_output=True)
    return None if found.returncode else here


class HomeAssistant:
    """One that has just been installed, in a folder; a context manager."""

    def __init__(self, python, folder):
        self.url = f"http://127.0.0.1:{free_port()}/"
        self._log = folder / "log"
        self._client = {"client_id": self.url}
        folder.mkdir()
        port = urllib.parse.urlsplit(self.url).port
        (folder / "configuration.yaml").write_text(
            f"http:\n  server_host: 127.0.0.1\n  server_port: {port}\n"
        )
        command = [python, "-m", "homeassistant", "--config", folder, "--skip-pip"]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)

    def __enter__(self):
        until(self._serves, "Home Assistant serves", _PATIENCE_S)
        code = self.rest("onboarding/users", self._client | _USER)["auth_code"]
        form = self._client | {"grant_type": "authorization_code", "code": code}
        asked = urllib.parse.urlencode(form).encode()
        with urllib.request.urlopen(self.url + "auth/token", asked) as answer:
            self._token = json.load(answer)["access_token"]
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()

    def _serves(self):
        assert self._process.poll() is None, self.log
        try:
            return self.rest("onboarding")
        except OSError:
            return None

    @property
    def log(self):
        return self._log.read_text()

    def rest(self, path, told=None, token=None):
        """What it answers there; told: JSON that is posted."""
        request = urllib.request.Request(f"{self.url}api/{path}")
        if told is not None:
            request.data = json.dumps(told).encode()
            request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def join(self, port):
        """Set up its MQTT, as whoever looks after it does in the settings."""
        flow = "config/config_entries/flow"
        asked = self.rest(flow, {"handler": "mqtt"}, self._token)
        there = {"broker": "127.0.0.1", "port": port}
        done = self.rest(f"{flow}/{asked['flow_id']}", there, self._token)
        assert done["type"] == "create_entry", done

    def ask(self, kind, **more):
        """The result of a command of its WebSocket."""

        async def ask():
            async with (
                aiohttp.ClientSession() as session,
                session.ws_connect(f"{self.url}api/websocket") as line,
            ):
                await line.receive_json()
                await line.send_json({"type": "auth", "access_token": self._token})
                await line.receive_json()
                await line.send_json({"id": 1, "type": kind} | more)
                answer = await line.receive_json()
                assert answer["success"], answer
                return answer["result"]

        return asyncio.run(ask())

    def call(self, service, entity, **data):
        """Call DOMAIN.NAME for an entity."""
        domain, _, name = service.partition(".")
        target = {"entity_id": entity}
        self.ask("call_service", domain=domain, service=name, target=target, service_data=data)

    def devices(self):
        """Those of MQTT: {serial number: facts}."""
        listed = self.ask("config/device_registry/list")
        return {
            device["serial_number"]: device
            for device in listed
            if any(kind == "mqtt" for kind, _ in device["identifiers"])
        }

    def entities(self):
        """Those of MQTT: {unique id: entity id}."""
        listed = self.ask("config/entity_registry/list")
        return {one["unique_id"]: one["entity_id"] for one in listed if one["platform"] == "mqtt"}

    def states(self):
        """{entity id: facts}"""
        return {one["entity_id"]: one for one in self.ask("get_states")}
