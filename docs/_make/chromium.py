"""How Debian's Chromium is started by Playwright, whose own browsers come from another host."""

from typing import Any

START: dict[str, Any] = {
    "executable_path": "/usr/bin/chromium",
    "args": ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
}
