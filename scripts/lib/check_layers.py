"""Checks that the folders of Swift modules depend on each other in the order of layers.txt.

The check goes by names. A folder uses another one when its code, without comments and strings, contains the
name of a type, function or variable that the other folder declares at the top level of a file. It skips a
name that two folders declare, and a name that the using folder declares itself, at any depth. It does not follow
members of extensions. So a reported line is a real dependency, but some dependencies are not found.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAYERS = Path(__file__).with_name("layers.txt")

KINDS = "struct|enum|class|protocol|actor|typealias|func|let|var"
TOP_LEVEL = re.compile(rf"^((?:[@\w()]+ +)*)(?:{KINDS}) +`?(\w+)", re.MULTILINE)
# Nested declarations, associated types, enum cases, parameters, and the variables of loops and closures.
ANY_DEPTH = re.compile(
    rf"\b(?:{KINDS}|associatedtype|case) +`?(\w+)|([a-z_]\w*)(?=: )|(\w+)(?=(?:, \w+)* in\b)"
)
GENERIC_PARAMETERS = re.compile(rf"\b(?:{KINDS}|init) *\w* *<([^>]+)>")
# Not the member of something, and not a label.
USE = re.compile(r"(?<![.\w])([A-Za-z_]\w*)(?!\w|:)")

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
QUOTE = re.compile(r'(#*)("""|")')
PLAIN = re.compile(r'[^/#"()]+|.', re.DOTALL)


def code(text: str) -> str:
    """The text without comments and strings; the code that is interpolated into a string stays."""
    kept: list[str] = []
    _keep_code(text, 0, kept, is_interpolated=False)
    return "".join(kept)


def _keep_code(text: str, index: int, kept: list[str], is_interpolated: bool) -> int:
    """Appends code from `index` on; returns where the file or the interpolation ends."""
    depth = 0
    while index < len(text):
        if comment := COMMENT.match(text, index):
            index = comment.end()
        elif quote := QUOTE.match(text, index):
            index = _skip_string(text, quote.end(), quote[1], quote[2] + quote[1], kept)
        elif plain := PLAIN.match(text, index):
            depth += (plain[0] == "(") - (plain[0] == ")")
            index = plain.end()
            if is_interpolated and depth < 0:
                return index
            kept.append(plain[0])
    return index


def _skip_string(text: str, index: int, hashes: str, end: str, kept: list[str]) -> int:
    """Returns where the string ends, and appends the code of its interpolations."""
    escape = "\\" + hashes
    while index < len(text) and not text.startswith(end, index):
        if text.startswith(escape + "(", index):
            kept.append(" ")
            index = _keep_code(text, index + len(escape) + 1, kept, is_interpolated=True)
            kept.append(" ")
        elif text.startswith(escape, index):
            index += len(escape) + 1
        else:
            index += 1
    kept.append('""')
    return index + len(end)


def modules(listing: str) -> dict[str, list[str]]:
    """The layers of each module, the lowest first: folders, and files of the module's own folder."""
    found: dict[str, list[str]] = {}
    for line in listing.splitlines():
        line = line.split("#")[0].rstrip()
        if not line:
            continue
        if not line[0].isspace():
            found[line] = []
        elif found:
            found[list(found)[-1]].append(line.strip())
    return found


def problems(module: str, layers: list[str]) -> Iterator[str]:
    """What is wrong with a module, a sentence each."""
    root = ROOT / "Sources" / module
    place = {layer: index for index, layer in enumerate(layers)}
    for layer in layers:
        if not (root / layer).exists():
            yield f"Sources/{module}/{layer} does not exist, but scripts/lib/layers.txt lists it"
    files: dict[Path, str] = {}
    for path in sorted(root.rglob("*.swift")):
        layer = path.relative_to(root).parts[0]
        if layer in place:
            files[path] = code(path.read_text())
        else:
            yield f"{path.relative_to(ROOT)}: scripts/lib/layers.txt does not list {layer} of {module}"

    declaring: dict[str, set[str]] = defaultdict(set)
    own: dict[str, set[str]] = defaultdict(set)
    for path, text in files.items():
        layer = path.relative_to(root).parts[0]
        for declaration in TOP_LEVEL.finditer(text):
            if "private" not in declaration[1]:
                declaring[declaration[2]].add(layer)
        own[layer].update(name for names in ANY_DEPTH.findall(text) for name in names)
        for parameters in GENERIC_PARAMETERS.findall(text):
            own[layer].update(re.findall(r"(?:^|,) *(\w+)", parameters))

    for path, text in files.items():
        layer = path.relative_to(root).parts[0]
        for name in sorted(set(USE.findall(text)) - own[layer]):
            other = next(iter(declaring[name])) if len(declaring.get(name, ())) == 1 else layer
            if place[other] > place[layer]:
                yield f"{path.relative_to(ROOT)} uses {name} of {other}, which lies above it"


def main() -> None:
    found = [
        problem
        for module, layers in modules(LAYERS.read_text()).items()
        for problem in problems(module, layers)
    ]
    if found:
        print(*found, sep="\n", file=sys.stderr)
        sys.exit(1)


main()
