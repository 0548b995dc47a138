#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the software bill of materials of a distribution, as CycloneDX JSON.

    tools/sbom.py BOM LIB VERSION TIME OUT [NATIVE=VERSION ..]

BOM     what CycloneDX's Maven plugin says of all modules
LIB     the folder of the distribution's jars: each is found in BOM by its SHA-256, or is the project's own
TIME    seconds since 1970 that are to stand in it
NATIVE  libraries that the native ones have in themselves

Exit codes: 0 written, 1 a jar is neither in BOM nor the project's own, 2 wrong usage.
"""
import datetime
import hashlib
import json
import pathlib
import sys

OWN = {"backup-agent", "backup-server", "chunk-core", "hdfs-coder", "inc-hdfs", "incoop-agent", "incoop-jobs",
       "shredder-native"}
KEPT = ("type", "group", "name", "version", "description", "licenses", "purl", "externalReferences")


def digest(path):
    return {"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}


def sha256(component):
    return next((each["content"] for each in component.get("hashes", []) if each["alg"] == "SHA-256"), None)


def own(jar, version):
    name, found, classifier = jar.stem.partition("-" + version)
    if not found or name not in OWN:
        sys.exit(f"sbom: {jar.name} is neither a dependency that Maven knows nor the project's own")
    purl = f"pkg:maven/io.shredder/{name}@{version}" + (f"?classifier={classifier[1:]}" if classifier else "")
    return {"type": "library", "group": "io.shredder", "name": name, "version": version,
            "licenses": [{"license": {"id": "Apache-2.0"}}], "purl": purl}


def components(bom, lib, version):
    known = {sha256(each): each for each in bom["components"]}
    for jar in sorted(lib.glob("*.jar")):
        made = digest(jar)
        of = known.get(made["content"])
        component = {key: of[key] for key in KEPT if key in of} if of else own(jar, version)
        yield {**component, "bom-ref": jar.name, "hashes": [made],
               "properties": [{"name": "shredder:file", "value": "lib/" + jar.name}]}


def native(words):
    for word in words:
        name, _, version = word.partition("=")
        yield {"type": "library", "name": name, "version": version, "bom-ref": name,
               "purl": f"pkg:deb/debian/{name}@{version}",
               "properties": [{"name": "shredder:file", "value": "in libshredder.so"}]}


def main(words):
    if len(words) < 5:
        print(__doc__, file=sys.stderr)
        return 2
    bom, lib, version, time, out = words[:5]
    made = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.datetime.fromtimestamp(int(time), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {"type": "application", "name": "shredder", "version": version, "bom-ref": "shredder",
                          "licenses": [{"license": {"id": "Apache-2.0"}}]},
        },
        "components": [*components(json.loads(pathlib.Path(bom).read_text()), pathlib.Path(lib), version),
                       *native(words[5:])],
    }
    pathlib.Path(out).write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
