"""A headless Chromium that looks at a page: what it measures, says and asks the network for."""

from __future__ import annotations

import html as escaping
import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")

_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # nothing leaves the machine
    "--enable-logging=stderr",
    "--virtual-time-budget=3000",
)

_ITS_OWN = re.compile(r"https?://([a-z0-9-]+\.)*(google|googleapis|gvt1|chromium)\.(com|org)[/:]")
"""The browser looks for the time, its updates and its user's accounts, whatever the page is."""

# The page lies in a frame: its media queries see the frame's size, which may be smaller than any
# window of the browser, and a script outside of it can measure it.
_HOST = """<!doctype html><meta charset="utf-8"><body style="margin:0">
<iframe style="border:0;width:{width}px;height:{height}px;color-scheme:{scheme}" srcdoc="{page}"
></iframe><script>
const frame = document.querySelector("iframe");
frame.onload = () => {{
  const page = frame.contentDocument, view = frame.contentWindow;
  const measure = {script};
  const found = document.createElement("pre");
  found.id = "found";
  found.textContent = JSON.stringify(measure(page, view));
  document.body.append(found);
}};
</script>"""


@dataclass(frozen=True)
class Seen:
    """What the browser saw.

    Attributes
    ----------
    found
        What the script returned.
    console
        Lines of the page's console.
    requests
        Addresses that were asked for over the network.
    """

    found: Any
    console: list[str]
    requests: list[str]


def look(
    page: str, folder: Path, script: str, *, width: int, height: int, scheme: str = "light"
) -> Seen:
    """Load a page in a frame of this size and call ``script``, a function of document and window.

    A profile of its own in `folder`; the browser is over when this returns.
    """
    host, log = folder / "host.html", folder / "net.json"
    host.write_text(
        _HOST.format(
            width=width, height=height, scheme=scheme, page=escaping.escape(page), script=script
        ),
        encoding="utf-8",
    )
    done = subprocess.run(
        [
            PROGRAM,
            *_OPTIONS,
            f"--user-data-dir={folder / 'profile'}",
            f"--log-net-log={log}",
            f"--window-size={max(width, 600)},{height}",
            "--dump-dom",
            host.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    match = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)
    assert match, done.stderr[-2000:]
    return Seen(
        json.loads(escaping.unescape(match[1])),
        [line for line in done.stderr.splitlines() if "CONSOLE" in line],
        _requests(log.read_text(encoding="utf-8")),
    )


def _requests(log: str) -> list[str]:
    """Return the addresses of a log of Chromium's network stack, but for its maker's services."""
    found = set(re.findall(r'"url":"((?:https?|wss?|ftp):[^"]*)"', log))
    return sorted(one for one in found if not _ITS_OWN.match(one))
