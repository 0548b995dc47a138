#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two steps of tools/oci.sh that make the same bytes of the same content.

    tools/oci-layer.py dates KEYSTORE TIME        every certificate of a Java keystore came at TIME
    tools/oci-layer.py difference BASE WHOLE OUT  what the tarball WHOLE has and BASE has not, or has differently

TIME is seconds since 1970. Exit codes: 0 done, 1 not possible, 2 wrong usage.
"""
import copy
import hashlib
import pathlib
import struct
import sys
import tarfile

JKS = 0xFEEDFEED
CERTIFICATE = 2
DIGEST_BYTES = 20
# The usual password of a store of public certificates, and what JKS digests before the entries.
SALT = "changeit".encode("utf-16-be") + b"Mighty Aphrodite"


def set_dates(path, seconds):
    data = bytearray(path.read_bytes())
    magic, version, entries = struct.unpack_from(">III", data)
    if magic != JKS or version != 2 or digest(data[:-DIGEST_BYTES]) != data[-DIGEST_BYTES:]:
        sys.exit(f"oci-layer: {path} is no JKS of version 2 with Java's usual password")
    at = 12
    for _ in range(entries):
        tag, alias = struct.unpack_from(">IH", data, at)
        if tag != CERTIFICATE:
            sys.exit(f"oci-layer: {path} has an entry of kind {tag} at byte {at}: it must have certificates alone")
        at += 6 + alias
        struct.pack_into(">q", data, at, seconds * 1000)
        at += 8
        at += 2 + struct.unpack_from(">H", data, at)[0]
        at += 4 + struct.unpack_from(">I", data, at)[0]
    data[-DIGEST_BYTES:] = digest(data[:-DIGEST_BYTES])
    path.write_bytes(data)


def digest(entries):
    return hashlib.sha1(SALT + entries).digest()


def members(tar):
    return {member.name: member for member in tar.getmembers()}


def state(tar, member):
    content = tar.extractfile(member).read() if member.isreg() else member.linkname
    return member.type, member.mode, member.uid, member.gid, member.mtime, member.devmajor, member.devminor, content


def write_difference(base_path, whole_path, out_path):
    with tarfile.open(base_path) as base, tarfile.open(whole_path) as whole, \
            tarfile.open(out_path, "w", format=tarfile.GNU_FORMAT) as out:
        before, after = members(base), members(whole)
        gone = sorted(before.keys() - after.keys())
        if gone:
            sys.exit(f"oci-layer: {gone[0]} of {base_path} is not in {whole_path}: a layer only adds")
        for name in sorted(after):
            member = after[name]
            if name in before and state(base, before[name]) == state(whole, member):
                continue
            added = copy.copy(member)
            added.uname = added.gname = ""
            added.pax_headers = {}
            out.addfile(added, whole.extractfile(member) if member.isreg() else None)


def main(arguments):
    match arguments:
        case ["dates", store, seconds] if seconds.isdigit():
            set_dates(pathlib.Path(store), int(seconds))
        case ["difference", base, whole, out]:
            write_difference(base, whole, out)
        case _:
            print(__doc__, file=sys.stderr)
            sys.exit(2)


if __name__ == "__main__":
    main(sys.argv[1:])
