"""A remote cache for Bazel, over HTTP, in memory."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class _Handler(BaseHTTPRequestHandler):
    """Answers `GET` and `PUT` of /ac/DIGEST and /cas/DIGEST."""

    protocol_version = "HTTP/1.1"
    server: CacheServer

    def do_GET(self) -> None:
        """Sends what was kept under this path, if anything was."""
        body = self.server.kept.get(self.path)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def do_PUT(self) -> None:
        """Keeps the body under this path."""
        self.server.kept[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


class CacheServer(ThreadingHTTPServer):
    """Serves on a free port of this machine while the `with` block lasts."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.kept: dict[str, bytes] = {}
        self.url = f"http://127.0.0.1:{self.server_port}"

    def __enter__(self) -> CacheServer:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()
        self.server_close()
