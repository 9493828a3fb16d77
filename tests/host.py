"""The built site, served as any host would serve it: under a sub-path, compressed."""

import gzip
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar


class Host(http.server.SimpleHTTPRequestHandler):
    """Serves a folder at /guide/, text compressed, with the site's own page for wrong addresses."""

    protocol_version = "HTTP/1.1"  # connections are kept, as hosts keep them
    extra_headers: ClassVar[dict[str, str]] = {}  # as a host sends from the site's _headers

    def do_GET(self) -> None:
        """Answer with the file, or with 404.html."""
        file = Path(self.translate_path(self.path.removeprefix("/guide")))
        if self.path.endswith("/"):
            file /= "index.html"
        exists = self.path.startswith("/guide/") and file.is_file()
        if not exists:
            file = Path(self.directory, "404.html")
        media_type = self.guess_type(file)
        content = file.read_bytes() if file.is_file() else b""
        headers = {"Content-Type": media_type, **self.extra_headers}
        if media_type.startswith("text/") or media_type.endswith(("javascript", "json", "xml")):
            content = compressed(content)
            headers |= {"Content-Type": f"{media_type}; charset=utf-8", "Content-Encoding": "gzip"}
        self.send_response(200 if exists else 404)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_arguments: object) -> None:
        """Keep the requests out of the tests' output."""


class Server(http.server.ThreadingHTTPServer):
    """Ignores a browser that is closed while it loads a page."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing: what a page misses, the tests see in the page."""


@cache
def compressed(content: bytes) -> bytes:
    """The content as it goes over the wire, at the level that hosts use."""
    return gzip.compress(content, 6)


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a folder while the block runs; yield the address of its root."""
    with Server(("127.0.0.1", 0), partial(Host, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/guide/"
        server.shutdown()
