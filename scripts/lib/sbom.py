"""Writes and checks the software bill of materials of scripts/lib/sbom.

    sbom.py make FOLDER Package.resolved          FOLDER has the findings of scripts/lib/sbom
    sbom.py check FILE Package.resolved DEBIAN    checks the content of FILE

The format is SPDX 2.3, https://spdx.github.io/spdx-spec/v2.3/.
"""

import datetime
import json
import re
import sys
from pathlib import Path

# From the LICENSE file of each package; unknown licenses are left out.
LICENSES = {
    "swift-argument-parser": "Apache-2.0",
    "swift-log": "Apache-2.0",
    "tomlkit": "MIT",
}
ROOT = "SPDXRef-gamebase-ingest"


def identifier(*words: str) -> str:
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", "-".join(words)).strip("-")


def package(spdx_id, name, version, download, purl, license_="NOASSERTION", **more):
    entry = {
        "SPDXID": spdx_id,
        "name": name,
        "versionInfo": version,
        "downloadLocation": download,
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": license_,
        "copyrightText": "NOASSERTION",
    }
    if purl:
        entry["externalRefs"] = [
            {
                "referenceCategory": "PACKAGE-MANAGER",
                "referenceType": "purl",
                "referenceLocator": purl,
            }
        ]
    return entry | more


def swift_packages(resolved: Path):
    for pin in json.loads(resolved.read_text())["pins"]:
        name, state = pin["identity"], pin["state"]
        location = pin["location"].removesuffix(".git")
        place = location.split("://", 1)[-1]
        yield package(
            identifier("swift", name),
            name,
            state.get("version", state["revision"]),
            f"git+{location}@{state['revision']}",
            f"pkg:swift/{place}@{state.get('version', state['revision'])}",
            LICENSES.get(name, "NOASSERTION"),
        )


def debian_rows(path: Path):
    return [line.split("\t") for line in path.read_text().splitlines() if line]


def make(folder: Path, resolved: Path) -> dict:
    def fact(name: str) -> str:
        return (folder / name).read_text().strip()

    version, commit, distribution = fact("version"), fact("commit"), fact("distribution")
    created = datetime.datetime.fromtimestamp(int(fact("time")), datetime.timezone.utc)
    program = package(
        ROOT,
        "gamebase-ingest",
        version,
        "NOASSERTION",
        None,
        primaryPackagePurpose="APPLICATION",
        sourceInfo=f"built from commit {commit}",
        checksums=[{"algorithm": "SHA256", "checksumValue": fact("sha256")}],
    )
    runtime = package(
        identifier("swift-runtime"),
        "swift-runtime",
        fact("swift"),
        "https://www.swift.org/install/linux/",
        None,
        "Apache-2.0 WITH Swift-exception",
    )
    parts = [*swift_packages(resolved), runtime]
    family = distribution.split("-")[0]
    for name, debian_version, architecture, source in debian_rows(folder / "debian"):
        # The specification of package URLs requires an escaped plus sign.
        escaped = debian_version.replace("+", "%2B").replace(":", "%3A")
        parts.append(
            package(
                identifier(family, name),
                name,
                debian_version,
                "NOASSERTION",
                f"pkg:deb/{family}/{name.replace('+', '%2B')}@{escaped}"
                f"?arch={architecture}&distro={distribution}",
                sourceInfo=f"Debian source package {source}",
            )
        )
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"gamebase-ingest-{version}",
        "documentNamespace": f"urn:gamebase-ingest:spdx:{version}:{fact('sha256')}",
        "creationInfo": {
            "created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: gamebase-ingest-scripts-sbom"],
        },
        "documentDescribes": [ROOT],
        "packages": [program, *parts],
        "relationships": [
            relationship("SPDXRef-DOCUMENT", "DESCRIBES", ROOT),
            *(relationship(ROOT, "DEPENDS_ON", part["SPDXID"]) for part in parts),
        ],
    }


def relationship(element: str, kind: str, related: str) -> dict:
    return {
        "spdxElementId": element,
        "relationshipType": kind,
        "relatedSpdxElement": related,
    }


def problems(document: dict, resolved: Path, debian: Path) -> list[str]:
    """The errors by the mandatory fields of the specification, and the missing parts of the program."""
    found = []

    def need(condition, text):
        if not condition:
            found.append(text)

    need(document.get("spdxVersion") == "SPDX-2.3", "spdxVersion is not SPDX-2.3")
    need(document.get("dataLicense") == "CC0-1.0", "dataLicense is not CC0-1.0")
    need(document.get("SPDXID") == "SPDXRef-DOCUMENT", "the document has another SPDXID")
    need(document.get("name"), "the document has no name")
    namespace = document.get("documentNamespace", "")
    need(re.fullmatch(r"[a-z][a-z0-9+.-]*:[^#\s]+", namespace), "documentNamespace is no URI")
    creation = document.get("creationInfo", {})
    need(
        re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", creation.get("created", "")),
        "created is no UTC time",
    )
    creators = creation.get("creators", [])
    need(
        creators and all(re.match(r"(Tool|Person|Organization): ", c) for c in creators),
        "creators are not of a known kind",
    )
    ids = [document.get("SPDXID")]
    for entry in document.get("packages", []):
        name = entry.get("name", "?")
        ids.append(entry.get("SPDXID", ""))
        need(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", ids[-1]), f"{name}: SPDXID {ids[-1]}")
        need(entry.get("versionInfo"), f"{name}: no version")
        need(
            re.match(r"(git\+https|https)://|NOASSERTION$", entry.get("downloadLocation", "")),
            f"{name}: downloadLocation",
        )
        need(entry.get("filesAnalyzed") is False, f"{name}: filesAnalyzed")
        for field in ("licenseConcluded", "licenseDeclared", "copyrightText"):
            need(entry.get(field), f"{name}: no {field}")
        for reference in entry.get("externalRefs", []):
            need(
                re.fullmatch(r"pkg:(swift|deb)/[^\s@]+@[^\s@]+", reference["referenceLocator"]),
                f"{name}: purl",
            )
        for checksum in entry.get("checksums", []):
            need(re.fullmatch("[0-9a-f]{64}", checksum["checksumValue"]), f"{name}: checksum")
    need(len(ids) == len(set(ids)), "an SPDXID occurs twice")
    linked = set()
    for link in document.get("relationships", []):
        for end in ("spdxElementId", "relatedSpdxElement"):
            need(link.get(end) in ids, f"a relationship names {link.get(end)}")
        linked.add(link.get("relatedSpdxElement"))
    need(set(ids) - linked == {"SPDXRef-DOCUMENT"}, "a package belongs to nothing")

    versions = {entry["name"]: entry["versionInfo"] for entry in document.get("packages", [])}
    for pin in json.loads(resolved.read_text())["pins"]:
        need(versions.get(pin["identity"]) == pin["state"]["version"], pin["identity"])
    rows = debian_rows(debian)
    for name, version, _, _ in rows:
        need(versions.get(name) == version, f"{name} {version} is missing")
    # The libraries that every build links, so that an empty list fails.
    for library in ("libpq", "libssl", "zlib1g", "libzstd", "libsimdjson", "libc6"):
        need(any(row[0].startswith(library) for row in rows), f"{library} is missing")
    return found


def main() -> None:
    match sys.argv[1:]:
        case ["make", folder, resolved]:
            print(json.dumps(make(Path(folder), Path(resolved)), indent=2))
        case ["check", file, resolved, debian]:
            document = json.loads(Path(file).read_text())
            found = problems(document, Path(resolved), Path(debian))
            for problem in found:
                print(f"sbom: {problem}", file=sys.stderr)
            if found:
                sys.exit(1)
            print(f"sbom: {len(document['packages'])} packages")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
