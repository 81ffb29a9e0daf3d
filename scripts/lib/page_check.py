"""Opens a page in headless Chromium and looks for what a reader would trip over.

    page_check.py PAGE [PICTURES]     PICTURES: a folder for screenshots

Each of three widths in two colour schemes, and print: the page must not be wider than its window, all text must have
the contrast of WCAG 2.2 AA, marks of charts 3 to 1, and the browser must report neither an error nor a request. Talks
to Chromium over --remote-debugging-pipe, so it needs nothing but Python.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

WIDTHS = {"phone": 360, "tablet": 820, "desktop": 1280}

# Finds the faults of the page as it is shown now; a string each.
PROBE = r"""
(() => {
  const faults = [];
  const name = e => e.tagName.toLowerCase() + (e.getAttribute('class') ? '.' + e.getAttribute('class') : '');
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width)
    faults.push(`the page is ${document.documentElement.scrollWidth} wide in a window of ${width}`);
  const color = text => {
    const numbers = (text.match(/-?[\d.]+(e-?\d+)?/g) || []).map(Number);
    if (text.startsWith('color(srgb')) return [...numbers.slice(0, 3).map(n => n * 255), numbers[3] ?? 1];
    if (text.startsWith('rgb')) return [...numbers.slice(0, 3), numbers[3] ?? 1];
    throw new Error('unknown colour ' + text);
  };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = rgb => {
    const [r, g, b] = rgb.map(n => n / 255).map(n => n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const behind = element => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const back = color(getComputedStyle(e).backgroundColor);
      if (back[3] > 0) layers.push(back);
      if (back[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  const seen = new Set();
  const once = text => { if (!seen.has(text)) { seen.add(text); faults.push(text); } };
  let texts = 0, marks = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest('svg, .hidden, .skip') || !element.checkVisibility()) continue;
    texts++;
    const style = getComputedStyle(element);
    const back = behind(element);
    const ratio = contrast(over(color(style.color), back), back);
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if (ratio < needed) once(`contrast ${ratio.toFixed(2)} of ${name(element)}, ${needed} is needed`);
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const box = range.getBoundingClientRect();
    const isCut = getComputedStyle(element).overflowX === 'hidden';
    if (!isCut && !element.closest('.scroll') && (box.right > width + 1 || box.left < -1)) once(`${name(element)} leaves the window`);
  }
  for (const mark of document.querySelectorAll('svg rect:not(.faded), svg .line')) {
    if (!mark.checkVisibility()) continue;
    marks++;
    const style = getComputedStyle(mark);
    const ratio = contrast(color(style.fill === 'none' ? style.stroke : style.fill), behind(mark.closest('svg').parentElement));
    if (ratio < 3) once(`contrast ${ratio.toFixed(2)} of the mark ${name(mark)}, 3 is needed`);
  }
  for (const svg of document.querySelectorAll('svg[role=img]')) {
    if (!svg.getAttribute('aria-label')) once('a chart has no name');
    const frame = svg.parentElement.getBoundingClientRect(), box = svg.getBoundingClientRect();
    if (box.bottom > frame.bottom + 1 || box.right > frame.right + 1) once('a chart leaves its frame');
  }
  for (const table of document.querySelectorAll('table'))
    if (!table.caption || !table.querySelector('th[scope=col]') || !table.querySelector('th[scope=row]'))
      once('a table has no caption or no header cells');
  for (const region of document.querySelectorAll('.scroll'))
    if (region.tabIndex !== 0) once('a region that scrolls cannot be reached by the keyboard');
  const levels = [...document.querySelectorAll('h1,h2,h3,h4,h5')].map(h => Number(h.tagName[1]));
  levels.forEach((level, i) => { if (i && level > levels[i - 1] + 1) once(`a heading h${level} follows h${levels[i - 1]}`); });
  if (document.querySelectorAll('script, img, iframe, object, [onerror], [onload], [style]').length)
    once('the page has a script, an image, a frame or a style attribute');
  if (window.stolen) once('a script of the data ran');
  if (texts < 50 || marks < 10) once(`only ${texts} texts and ${marks} marks were found; the check itself is broken`);
  return faults;
})()
"""


class Browser:
    """One Chromium, spoken to over two pipes."""

    def __init__(self, profile: str):
        program = shutil.which("chromium") or shutil.which("google-chrome")
        if not program:
            sys.exit("page_check.py: there is no Chromium on PATH; install the package chromium")
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()

        def pipes():
            os.dup2(to_read, 13)
            os.dup2(from_write, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
            + ["--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run"]
            + [f"--user-data-dir={profile}", "about:blank"],
            close_fds=False,
            preexec_fn=pipes,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(from_write)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.events = []

    def message(self) -> dict:
        while b"\0" not in self.buffer:
            part = os.read(self.from_read, 1 << 20)
            if not part:
                sys.exit("page_check.py: Chromium ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method: str, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to_write, json.dumps(request).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    sys.exit(f"page_check.py: {method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def wait_for(self, event: str):
        while not any(e.get("method") == event for e in self.events):
            self.events.append(self.message())

    def open(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait(30)


def faults_of(browser: Browser, page: Path) -> list[str]:
    """Loads the page, and lists its faults."""
    browser.events.clear()
    browser.call("Page.navigate", url=page.as_uri())
    browser.wait_for("Page.loadEventFired")
    result = browser.call("Runtime.evaluate", expression=PROBE, returnByValue=True)
    if "exceptionDetails" in result:
        sys.exit(f"page_check.py: {result['exceptionDetails']}")
    found = list(result["result"]["value"])
    for event in browser.events:
        parameters = event.get("params", {})
        match event.get("method"):
            case "Log.entryAdded":
                found.append(f"the console says: {parameters['entry']['text']}")
            case "Runtime.consoleAPICalled" | "Runtime.exceptionThrown":
                found.append("a script wrote to the console")
            case "Network.requestWillBeSent" if parameters["request"]["url"] != page.as_uri():
                found.append(f"a request went to {parameters['request']['url'][:80]}")
    return found


def picture(browser: Browser, file: Path, height: int | None) -> None:
    """Takes a picture of the beginning of the page; of the whole page without a height."""
    size = browser.call("Page.getLayoutMetrics")["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": height or size["height"], "scale": 1}
    data = browser.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
    file.write_bytes(base64.b64decode(data["data"]))


def main() -> None:
    match sys.argv[1:]:
        case [page]:
            pictures = None
        case [page, folder]:
            pictures = Path(folder)
            pictures.mkdir(parents=True, exist_ok=True)
        case _:
            sys.exit(__doc__)
    page = Path(page).resolve()
    count = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        browser.open()
        views = [(n, w, s, "screen") for n, w in WIDTHS.items() for s in ("light", "dark")]
        for name, width, scheme, medium in [*views, ("print", 760, "light", "print"), ("print", 760, "dark", "print")]:
            browser.call(
                "Emulation.setDeviceMetricsOverride",
                width=width, height=900, deviceScaleFactor=1, mobile=False,
            )
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            browser.call("Emulation.setEmulatedMedia", media=medium, features=features)
            found = faults_of(browser, page)
            for fault in found:
                print(f"{name}, {scheme}: {fault}", file=sys.stderr)
            count += len(found)
            if pictures:
                picture(browser, pictures / f"{name}-{scheme}.png", None)
                picture(browser, pictures / f"{name}-{scheme}-top.png", 1100)
        browser.close()
    if count:
        sys.exit(1)
    print(f"page: no fault in {len(views)} views and in print")


if __name__ == "__main__":
    main()
