"""Prints the software bill of materials of a built program: sbom.py PROGRAM

It has the program, the Swift packages of Package.resolved, the Swift runtime, and the Debian packages of the libraries that
the program loads, without the dependencies of these packages. The same commit, program and machine give the same bytes.
The format is SPDX 2.3, https://spdx.github.io/spdx-spec/v2.3/.
"""

import datetime
import hashlib
import json
import platform
import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
# From the LICENSE file of each package.
LICENSES = {"swift-argument-parser": "Apache-2.0", "tomlkit": "MIT"}
ROOT = "SPDXRef-gamebase-ingest"
# The libraries that every build links.
LINKED = ("libpq", "libssl", "zlib1g", "libzstd", "libsimdjson", "libc6")


def output(*command: str) -> str:
    return subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True).stdout.strip()


def package(name: str, version: str, kind: str = "", download: str = "NOASSERTION", purl: str = "",
            license: str = "NOASSERTION", **more: object) -> dict:
    entry = {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", f"{kind}-{name}").strip("-"), "name": name,
        "versionInfo": version, "downloadLocation": download, "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
        "licenseDeclared": license, "copyrightText": "NOASSERTION"}
    if purl:
        entry["externalRefs"] = [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]
    return entry | more


def swift_packages() -> list[dict]:
    found = []
    for pin in json.loads((PROJECT / "Package.resolved").read_text())["pins"]:
        name, state, location = pin["identity"], pin["state"], pin["location"].removesuffix(".git")
        found.append(package(
            name, state["version"], "swift", f"git+{location}@{state['revision']}",
            f"pkg:swift/{location.split('://', 1)[-1]}@{state['version']}", LICENSES.get(name, "NOASSERTION")))
    return found


def debian_packages(program: str) -> list[dict]:
    owners = set()
    for library in re.findall(r"=> (/\S+)", output("ldd", program)):
        # Debian 12 lists some files of /usr/lib below /lib. The libraries of Swift belong to no package.
        for path in {library, str(Path(library).resolve())}:
            found = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True).stdout
            owners |= {line.partition(": ")[0] for line in found.splitlines()[:1]}
    system = platform.freedesktop_os_release()
    family, distribution = system["ID"], f"{system['ID']}-{system.get('VERSION_ID', '')}"
    fields = "${Package}\t${Version}\t${Architecture}\t${source:Package}\n"
    packages = []
    for row in output("dpkg-query", "-W", "-f", fields, *sorted(owners)).splitlines():
        name, version, architecture, source = row.split("\t")
        # The specification of package URLs requires an escaped plus sign.
        escaped = [text.replace("+", "%2B").replace(":", "%3A") for text in (name, version)]
        packages.append(package(
            name, version, family, purl=f"pkg:deb/{family}/{'@'.join(escaped)}?arch={architecture}&distro={distribution}",
            sourceInfo=f"Debian source package {source}"))
    return packages


def relationship(element: str, kind: str, related: str) -> dict:
    return {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": related}


def main() -> None:
    binary = sys.argv[1]
    version, digest = output(binary, "--version"), hashlib.sha256(Path(binary).read_bytes()).hexdigest()
    # The time of the commit, so that the same commit gives the same output.
    created = datetime.datetime.fromtimestamp(
        int(output("git", "show", "--no-patch", "--format=%ct", "HEAD")), datetime.timezone.utc)
    program = package(
        "gamebase-ingest", version, primaryPackagePurpose="APPLICATION",
        sourceInfo=f"built from commit {output('git', 'rev-parse', 'HEAD')}",
        checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
    [swift] = re.findall(r"Swift version ([0-9.]+)", output("swift", "--version"))
    runtime = package("swift-runtime", swift, download="https://www.swift.org/install/linux/",
                      license="Apache-2.0 WITH Swift-exception")
    parts = [*swift_packages(), runtime, *debian_packages(binary)]
    missing = [name for name in LINKED if not any(part["name"].startswith(name) for part in parts)]
    if missing or len({part["SPDXID"] for part in (program, *parts)}) != len(parts) + 1:
        sys.exit(f"sbom.py: a package occurs twice, or is missing: {' '.join(missing)}")
    print(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"gamebase-ingest-{version}", "documentNamespace": f"urn:gamebase-ingest:spdx:{version}:{digest}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: gamebase-ingest-scripts-sbom"]},
        "documentDescribes": [ROOT], "packages": [program, *parts],
        "relationships": [relationship("SPDXRef-DOCUMENT", "DESCRIBES", ROOT),
                          *(relationship(ROOT, "DEPENDS_ON", part["SPDXID"]) for part in parts)]}, indent=2))


if __name__ == "__main__":
    main()
