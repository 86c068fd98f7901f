"""A folder of static files, served at a port of this computer until `stop`."""

import functools
import http.server
import threading


class ServedFolder:
    def __init__(self, folder):
        handler = functools.partial(_Quiet, directory=folder)
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def stop(self):
        """Stop serving. You may call this again."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass
