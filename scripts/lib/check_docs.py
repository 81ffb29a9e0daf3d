"""Checks that the pages name only what exists: files, headings, decisions, tests, codes and packages."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [page for folder in (".", "docs", "docs/adr", "Tests") for page in sorted((ROOT / folder).glob("*.md"))]


def text(path: str) -> str:
    return (ROOT / path).read_text()


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings: lower case, without punctuation, blanks as hyphens."""
    titles = re.findall(r"^#+ *(.*?) *$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def links() -> Iterator[str]:
    found = [(page, link) for page in PAGES for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text())
             if "://" not in link]
    if len(found) < 100:
        yield "the pages have fewer than 100 links; the check itself is broken"
    for page, link in found:
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield f"{page.relative_to(ROOT)}: the link {link} leads nowhere"


def names() -> Iterator[str]:
    pages = "".join(text(page) for page in ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/report-upkeep.md", "Tests/README.md"))
    paths = re.findall(r"`((?:Sources|sql|scripts|Plugins|Benchmarks|Tests)/[^`<]+)`", pages)
    yield from (f"a page for developers names {path}, which is gone" for path in paths if not list(ROOT.glob(path.split()[0])))
    promises = text("docs/security.md")
    suites = set(re.findall(r"`(\w+Tests)`", promises))
    sources = "".join(path.read_text() for path in (ROOT / "Tests").rglob("*.swift"))
    yield from (f"docs/security.md: there is no test {suite}" for suite in sorted(suites)
                if not re.search(rf"(struct|class) {suite} ", sources))
    cases = set(re.findall(r"`(Tests/Cases/[^`]+)`", promises))
    yield from (f"docs/security.md names {path}, which is gone" for path in cases if not (ROOT / path).exists())
    if len(paths) < 9 or len(suites) + len(cases) < 20:
        yield "the pages name too few paths or tests; the check itself is broken"


def words_of_the_program() -> Iterator[str]:
    """Names of the database's schemas and options of the program that a page for users has and nothing else."""
    sql = "".join(path.read_text() for path in (ROOT / "sql").rglob("*.sql"))
    objects = set(re.findall(r"\b(?:game|ingest|report|rollup|staging)\.[a-z_0-9]+", sql))
    sources = "".join(path.read_text() for path in (ROOT / "Sources/gamebase-ingest").rglob("*.swift"))
    properties = re.findall(r"@(?:Option|Flag)(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\s+(?:private )?var `?(\w+)", sources)
    options = {re.sub("([A-Z])", lambda letter: "-" + letter[1].lower(), name) for name in properties} | {"help", "version"}
    if len(objects) < 300 or len(options) < 60:
        yield "too few names of the schemas or options are known; the check itself is broken"
    options.add("ultra")  # of zstd, with which the data contract compares a limit
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        if page.name == "recipes.md":  # for developers
            continue
        content = page.read_text()
        for name in sorted(set(re.findall(r"`((?:game|ingest|report|rollup|staging)\.[a-z_0-9]+)`", content)) - objects):
            yield f"{page.relative_to(ROOT)}: there is no {name}"
        lines = re.findall(r"gamebase-ingest [a-z][^|;)#\n]*|`--[a-z][^`\n]*`", content)
        used = {name for line in lines for name in re.findall(r"(?<![\w-])--([a-z][a-z-]+)", line)}
        yield from (f"{page.relative_to(ROOT)}: there is no option --{name}" for name in sorted(used - options))


def decisions() -> Iterator[str]:
    listed = re.findall(r"^\| \[(\d+)\]\((\d{4}-.*?\.md)\) \|", text("docs/adr/README.md"), re.MULTILINE)
    if len(listed) < 20 or any(int(number) != place or int(name[:4]) != place
                               for place, (number, name) in enumerate(listed, 1)):
        yield "docs/adr/README.md: the numbers of the decisions have a gap, or differ from the names of their files"
    yield from (f"docs/adr/README.md does not list {page.name}" for page in PAGES
                if re.match(r"\d{4}-", page.name) and page.name not in dict(listed).values())


def codes() -> Iterator[str]:
    source = text("Sources/RecordPipeline/Values/Rejection.swift").partition("enum RejectCode")[2]
    known = re.findall(r'^  case \w+ = "(\w+)"', source, re.MULTILINE)
    listed = text("docs/data-contract.md").partition("\n## Reject codes\n")[2]
    if not known or known != re.findall(r"^\| `(\w+)` \| .+ \|$", listed, re.MULTILINE):
        yield "docs/data-contract.md does not list the reject codes of Rejection.swift"
    counted = text("docs/report.schema.json").partition('"reject_codes"')[2].partition('"enum": [')[2].partition("]")[0]
    if sorted(known) != re.findall(r'"(\w+)"', counted):
        yield "docs/report.schema.json does not list the reject codes of Rejection.swift in order"
    exits = set(re.findall(r"case \w+ = (\d+)", text("Sources/Loading/Options/ExitCode.swift")))
    cells = "\n".join(re.findall(r"^\| ([^|]*)\|", text("docs/operating.md"), re.MULTILINE))
    if not exits or exits - set(re.findall(r"\d+", cells)):
        yield f"docs/operating.md does not explain one of the exit codes {' '.join(sorted(exits))}"


def release() -> Iterator[str]:
    """scripts/package compares the packages that README names with those of the program."""
    readme, script, container = text("README.md"), text("scripts/package"), text("Dockerfile")
    [build] = re.findall(r"^swift build -c release .*$", readme, re.MULTILINE)
    if f"  {build}\n" not in script or f"RUN {build}\n" not in container:
        yield "scripts/package or Dockerfile builds otherwise than README.md says"
    [packages] = re.findall(r"^`(ca-certificates .*?)`", readme, re.MULTILINE)
    if f"      {packages} \\\n" not in container:
        yield "Dockerfile names other packages than README.md"
    [version] = re.findall(r'enum Version \{ static let current = "(.+)" \}', text("Sources/gamebase-ingest/Terminal/Version.swift"))
    for path, place in {"CHANGELOG.md": f"\n## {version}", "docker-compose.yml": f"image: gamebase-ingest:{version}\n",
                        "deploy/kubernetes/cronjob.yaml": f"gamebase-ingest:{version}\n",
                        "deploy/github/tests.yml": f"/v{version}/gamebase-ingest_{version}_"}.items():
        if place not in text(path):
            yield f"{path} is not of the program's version, {version}"


if __name__ == "__main__":
    faults = [*links(), *names(), *words_of_the_program(), *decisions(), *codes(), *release()]
    print("\n".join(faults))
    sys.exit(bool(faults))
