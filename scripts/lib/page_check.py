"""Opens a page in headless Chromium and looks for what a reader would trip over.

    page_check.py PAGE [PICTURES]     PICTURES: a folder for screenshots

Each of three widths in two colour schemes, and print: the page must not be wider than its window, all text must have
the contrast of WCAG 2.2 AA, marks of charts 3 to 1, and the browser must report neither an error nor a request.
"""

import base64
import json
import sys
from pathlib import Path

from selenium.webdriver import Chrome, ChromeOptions

VIEWS = [(name, width, scheme, medium) for name, width, medium in (
    ("phone", 360, "screen"), ("tablet", 820, "screen"), ("desktop", 1280, "screen"), ("print", 760, "print"))
    for scheme in ("light", "dark")]

# Finds the faults of the page as it is shown now; a string each.
PROBE = r"""
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
"""


def faults_of(browser: Chrome, page: Path) -> list[str]:
    """Loads the page, and lists its faults."""
    browser.get(page.as_uri())
    found = browser.execute_script(PROBE)
    found += [f"the console says: {entry['message']}" for entry in browser.get_log("browser")]
    for entry in browser.get_log("performance"):
        event = json.loads(entry["message"])["message"]
        address = event["params"].get("request", {}).get("url", page.as_uri())
        if event["method"] == "Network.requestWillBeSent" and address != page.as_uri():
            found.append(f"a request went to {address[:80]}")
    return found


def picture(browser: Chrome, file: Path, height: int | None) -> None:
    """Takes a picture of the beginning of the page; of the whole page without a height."""
    size = browser.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": height or size["height"], "scale": 1}
    data = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})
    file.write_bytes(base64.b64decode(data["data"]))


def main() -> None:
    page, *pictures = map(Path, sys.argv[1:])
    options = ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = Chrome(options=options)
    count = 0
    try:
        for name, width, scheme, medium in VIEWS:
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "media": medium, "features": [{"name": "prefers-color-scheme", "value": scheme}]})
            for fault in faults_of(browser, page.resolve()):
                print(f"{name}, {scheme}: {fault}", file=sys.stderr)
                count += 1
            for folder in pictures:
                folder.mkdir(parents=True, exist_ok=True)
                picture(browser, folder / f"{name}-{scheme}.png", None)
                picture(browser, folder / f"{name}-{scheme}-top.png", 1500)
    finally:
        browser.quit()
    if count:
        sys.exit(1)
    print(f"page: no fault in {len(VIEWS)} views, with those in print")


if __name__ == "__main__":
    main()
