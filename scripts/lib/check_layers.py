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

# A comment, or a string with the code that is interpolated into it.
PARENTHESES = r"\([^()]*\)"
for _ in range(5):
    PARENTHESES = rf"\((?:[^()]|{PARENTHESES})*\)"
IGNORED = re.compile(
    rf'//[^\n]*|/\*.*?\*/|(?P<hashes>#*)(?P<quote>"""|")(?:\\(?P=hashes){PARENTHESES}|\\(?P=hashes).|.)*?(?P=quote)(?P=hashes)',
    re.DOTALL)


def code(text: str) -> str:
    """The text without comments and strings; the code that is interpolated into a string stays."""
    def kept(ignored: re.Match[str]) -> str:
        if ignored["quote"] is None:
            return ""
        return " ".join(map(code, re.findall(rf"\\{ignored['hashes']}({PARENTHESES})", ignored[0], re.DOTALL))) + '""'

    return IGNORED.sub(kept, text)


def modules(listing: str) -> dict[str, list[str]]:
    """The layers of each module, the lowest first: folders, and files of the module's own folder."""
    found: dict[str, list[str]] = {}
    layers: list[str] = []
    for line in re.sub("#.*", "", listing).split("\n"):
        if line[:1].strip():
            layers = found.setdefault(line.strip(), [])
        elif line.strip():
            layers.append(line.strip())
    return found


def problems(module: str, layers: list[str]) -> Iterator[str]:
    """What is wrong with a module, a sentence each."""
    root = ROOT / "Sources" / module
    yield from (f"Sources/{module}/{layer} does not exist, but scripts/lib/layers.txt lists it"
                for layer in layers if not (root / layer).exists())
    files = [(path, path.relative_to(root).parts[0], code(path.read_text())) for path in sorted(root.rglob("*.swift"))]
    declaring: dict[str, set[str]] = defaultdict(set)
    own: dict[str, set[str]] = defaultdict(set)
    for path, layer, text in files:
        if layer not in layers:
            yield f"{path.relative_to(ROOT)}: scripts/lib/layers.txt does not list {layer} of {module}"
        for modifiers, name in TOP_LEVEL.findall(text):
            if "private" not in modifiers:
                declaring[name].add(layer)
        own[layer].update(name for names in ANY_DEPTH.findall(text) for name in names)
        for parameters in GENERIC_PARAMETERS.findall(text):
            own[layer].update(re.findall(r"(?:^|,) *(\w+)", parameters))
    for path, layer, text in files:
        for name in sorted(set(USE.findall(text)) - own[layer]):
            others = declaring.get(name, set())
            if layer in layers and len(others) == 1 and [*others][0] in layers[layers.index(layer) + 1:]:
                yield f"{path.relative_to(ROOT)} uses {name} of {[*others][0]}, which lies above it"


if __name__ == "__main__":
    faults = [fault for module, layers in modules(LAYERS.read_text()).items() for fault in problems(module, layers)]
    sys.exit("\n".join(faults) or None)
