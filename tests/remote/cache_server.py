"""An HTTP cache for tests, which can lie, stall and die. Not for anything else."""

from __future__ import annotations

import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Answer = tuple[int, bytes]
Fault = Callable[[str, Answer], Answer]


def flip(path: str, answer: Answer) -> Answer:
    """One bit of every blob is another."""
    status, body = answer
    if "/cas/" not in path or not body:
        return answer
    return status, bytes([body[0] ^ 1]) + body[1:]


def truncate(path: str, answer: Answer) -> Answer:
    """The second half of every blob is missing."""
    status, body = answer
    return (status, body[: len(body) // 2]) if "/cas/" in path else answer


def garbage(path: str, answer: Answer) -> Answer:
    """Action results are no action results."""
    status, _ = answer
    return (status, b"\xff\xfe no such result") if "/ac/" in path and status == 200 else answer


def broken(path: str, answer: Answer) -> Answer:
    """The server has a fault of its own."""
    return 500, b"out of order"


def full(path: str, answer: Answer) -> Answer:
    """The disk of the server is full: it takes nothing more."""
    return answer if answer[0] != 201 else (507, b"no space left on device")


class CacheServer:
    """A cache on a port of its own, in memory.

    Attributes:
      blobs: what it holds, by path.
      counts: requests by method and status: `GET 200`.
      moved: bytes of the bodies, by method.
      fault: what it does to answers.
      delay: seconds before each answer.
      token: the bearer token that it wants.
      dies_after: requests until it stops answering for good; None for never.
    """

    def __init__(self, certificate: tuple[Path, Path] | None = None) -> None:
        self.blobs: dict[str, bytes] = {}
        self.counts: Counter[str] = Counter()
        self.moved: Counter[str] = Counter()
        self.fault: Fault | None = None
        self.delay = 0.0
        self.token: str | None = None
        self.dies_after: int | None = None
        self._lock = threading.Lock()
        cache = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                size = int(self.headers.get("Content-Length", 0))
                sent = self.rfile.read(size)
                if not cache.alive():
                    self.close_connection = True
                    return
                time.sleep(cache.delay)
                status, body = cache.answer(
                    self.command, self.path, sent, self.headers.get("Authorization")
                )
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            do_GET = do_PUT = do_HEAD = handle_any

            def log_message(self, format: str, *arguments: Any) -> None:
                """Keeps quiet."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A client that hangs up is no news."""

        self._server = Server(("127.0.0.1", 0), Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._scheme = "https" if certificate else "http"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """Its endpoint."""
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}"

    def alive(self) -> bool:
        """Whether it still answers."""
        with self._lock:
            if self.dies_after is None:
                return True
            self.dies_after -= 1
            return self.dies_after >= 0

    def answer(self, method: str, path: str, sent: bytes, token: str | None) -> Answer:
        """What it says to a request."""
        with self._lock:
            if self.token is not None and token != f"Bearer {self.token}":
                answer: Answer = (401, b"who are you?")
            elif method == "PUT":
                answer = (201, b"")
            else:
                answer = (200, self.blobs[path]) if path in self.blobs else (404, b"")
            if self.fault:
                answer = self.fault(path, answer)
            if method == "PUT" and answer[0] == 201:
                self.blobs[path] = sent
            self.counts[f"{method} {answer[0]}"] += 1
            self.moved[method] += len(sent) if method == "PUT" else len(answer[1])
            return answer

    def forget(self, part: str) -> None:
        """Evicts what has this in its path: `/cas/` or `/ac/`."""
        self.blobs = {path: blob for path, blob in self.blobs.items() if part not in path}

    def close(self) -> None:
        """Stops it."""
        self._server.shutdown()
        self._server.server_close()
