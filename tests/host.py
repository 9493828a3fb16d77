"""The built site, served as any host would serve it: under a sub-path, compressed."""

import gzip
import http.server
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any


class Host(http.server.SimpleHTTPRequestHandler):
    """Serves a folder at /guide/, text compressed, with the site's own page for wrong addresses."""

    protocol_version = "HTTP/1.1"  # connections are kept, as hosts keep them

    def do_GET(self) -> None:
        """Answer with the file, or with 404.html."""
        file = Path(self.translate_path(self.path))
        if self.path.endswith("/"):
            file /= "index.html"
        found = self.path.startswith("/guide/") and file.is_file()
        if not found:
            file = Path(self.directory, "404.html")
        kind = self.guess_type(file)
        content = file.read_bytes() if file.is_file() else b""
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if is_text(kind) else kind)
        if is_text(kind):
            content = compressed(content)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def translate_path(self, path: str) -> str:
        """The file that an address stands for."""
        return super().translate_path(path.removeprefix("/guide"))

    def log_message(self, *_arguments: object) -> None:
        """Say nothing: the tests' output is about the tests."""


class Server(http.server.ThreadingHTTPServer):
    """Says nothing of a browser that is closed while it loads a page."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report any other failure."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def is_text(kind: str) -> bool:
    """Whether hosts compress this kind of file."""
    return kind.startswith("text/") or kind.endswith(("javascript", "json", "xml"))


@cache
def compressed(content: bytes) -> bytes:
    """What goes over the wire, at the level that hosts use."""
    return gzip.compress(content, 6)


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a folder while the block runs; gives the address of its root."""
    handler = partial(Host, directory=str(site))
    with Server(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/guide/"
        server.shutdown()
