# SPDX-License-Identifier: Apache-2.0
"""Reads the files of a disk image, whose bytes it asks its parent for, with the parsers of Dissect.

Runs alone behind bubblewrap: no file, no network, no more memory than the limit below. Frames on standard input and
output are a letter, a length (u32) and so many bytes; numbers are big-endian.

    to the parent    R  offset (u64), length (u32): wants these bytes of the image; answered by B or by X
                     J  an object of JSON: a volume, a file's facts, or a failure
                     D  bytes of the file whose facts came last
                     E  the request is done
    from the parent  Q  an object of JSON: a request
                     B  bytes; X  why they can't be read (UTF-8)
"""

import collections
import datetime
import fnmatch
import io
import json
import resource
import signal
import stat
import struct
import sys

MEMORY = 1 << 30
BLOCK = 1 << 16
CACHED_BLOCKS = 1024
MOST_READ = 4 << 20
PIECE = 1 << 20
# Of computing, for one folder, or from one piece of a file to the next: more is a loop that an image has laid.
STEP_SECONDS = 20
MOST_CHILDREN = 2_000_000
MOST_DEPTH = 200
MOST_LINK = 4096
# Of the year 9999: a later time is damage, which costs no more than the time.
LAST_SECOND = 253_402_300_799


class Trouble(Exception):
    """Ends one file or folder; the others go on."""


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.setrecursionlimit(2000)

    def late(*_):
        raise Trouble(f"took more than {STEP_SECONDS} s of computing, so it is damaged or made to")

    signal.signal(signal.SIGVTALRM, late)


def step(seconds=STEP_SECONDS):
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


class Parent:
    """The other end of both pipes."""

    def __init__(self):
        self.source = sys.stdin.buffer
        self.sink = sys.stdout.buffer

    def send(self, letter, body):
        self.sink.write(struct.pack(">cI", letter, len(body)))
        self.sink.write(body)

    def tell(self, **facts):
        self.send(b"J", json.dumps(facts).encode())

    def receive(self):
        self.sink.flush()
        head = self.source.read(5)
        if len(head) < 5:
            raise SystemExit(0)
        letter, length = struct.unpack(">cI", head)
        return letter, self.source.read(length)

    def bytes_at(self, offset, length):
        self.send(b"R", struct.pack(">QI", offset, length))
        letter, body = self.receive()
        if letter == b"X":
            raise OSError(body.decode())
        return body


def image_stream(parent, size):
    """The image as a file, of which blocks that were read lately stay here."""
    from dissect.util.stream import AlignedStream

    class Image(AlignedStream):
        def __init__(self):
            super().__init__(size)
            self.blocks = collections.OrderedDict()

        def block(self, number):
            found = self.blocks.pop(number, None)
            if found is None:
                found = parent.bytes_at(number * BLOCK, min(BLOCK, size - number * BLOCK))
                while len(self.blocks) >= CACHED_BLOCKS:
                    self.blocks.popitem(last=False)
            self.blocks[number] = found
            return found

        def _read(self, offset, length):
            length = min(length, size - offset)
            if length <= 0:
                return b""
            pieces = []
            if length > 2 * BLOCK:
                while length > 0:
                    pieces.append(parent.bytes_at(offset, min(length, MOST_READ)))
                    offset += len(pieces[-1])
                    length -= len(pieces[-1])
                return b"".join(pieces)
            while length > 0:
                number, begin = divmod(offset, BLOCK)
                pieces.append(self.block(number)[begin : begin + length])
                offset += len(pieces[-1])
                length -= len(pieces[-1])
            return b"".join(pieces)

    return Image()


class Node:
    """A file or folder of any file system. Times are nanoseconds since 1970."""

    def __init__(self, inner, ident, mode, uid=0, gid=0, size=0, mtime=0, nlink=1):
        self.inner, self.ident, self.mode, self.uid, self.gid = inner, ident, mode, uid, gid
        self.size, self.mtime, self.nlink = size, mtime, nlink

    def is_dir(self):
        return stat.S_ISDIR(self.mode)

    def kind(self):
        for test, kind in (
            (stat.S_ISREG, "file"),
            (stat.S_ISDIR, "folder"),
            (stat.S_ISLNK, "link"),
            (stat.S_ISFIFO, "pipe"),
            (stat.S_ISSOCK, "socket"),
            (stat.S_ISBLK, "block-device"),
            (stat.S_ISCHR, "character-device"),
        ):
            if test(self.mode):
                return kind
        return "unknown"

    def facts(self):
        seconds, nanoseconds = divmod(self.mtime, 1_000_000_000)
        if abs(seconds) > LAST_SECOND:
            seconds = 0
        if not 0 <= self.size < 1 << 63:
            raise Trouble(f"has a size that no file has: {self.size}")
        facts = {
            "type": self.kind(),
            "mode": stat.S_IMODE(self.mode),
            "uid": self.uid,
            "gid": self.gid,
            "size": self.size,
            "seconds": seconds,
            "nanoseconds": nanoseconds,
            "names": self.nlink,
        }
        if self.kind() == "link":
            facts["size"] = len(facts.setdefault("target", self.link()[:MOST_LINK]))
        return facts

    def open(self):
        return self.inner.open()

    def link(self):
        return self.inner.link


class Ext:
    def __init__(self, stream):
        from dissect.extfs import ExtFS

        self.fs = ExtFS(stream)
        has_extents = self.fs.sb.s_feature_incompat & 0x40
        has_journal = self.fs.sb.s_feature_compat & 0x4
        self.kind = "ext4" if has_extents else "ext3" if has_journal else "ext2"
        self.label, self.uuid = self.fs.volume_name, str(self.fs.uuid)
        self.unclean = bool(self.fs.sb.s_feature_incompat & 0x4)

    def node(self, inner):
        i = inner.inode
        uid, gid = i.i_uid | i.i_uid_high << 16, i.i_gid | i.i_gid_high << 16
        return Node(inner, inner.inum, i.i_mode, uid, gid, inner.size, inner.mtime_ns, i.i_links_count)

    def root(self):
        return self.node(self.fs.root)

    def entries(self, node):
        return ((child.filename, child) for child in node.inner.iterdir())


class Xfs:
    kind, unclean = "xfs", None

    def __init__(self, stream):
        from dissect.xfs import XFS

        self.fs = XFS(stream)
        self.label, self.uuid = self.fs.name, str(self.fs.uuid)

    def node(self, inner):
        i = inner.inode
        return Node(inner, inner.inum, i.di_mode, i.di_uid, i.di_gid, inner.size, inner.mtime_ns, i.di_nlink)

    def root(self):
        return self.node(self.fs.root)

    def entries(self, node):
        return ((child.filename, child) for child in node.inner.iterdir())


class Btrfs:
    kind, unclean = "btrfs", None

    def __init__(self, stream):
        from dissect.btrfs import Btrfs as Parser

        self.fs = Parser(stream)
        self.label, self.uuid = self.fs.label, str(self.fs.uuid)
        self.top = self.fs.open_subvolume(5)

    def node(self, inner):
        ident = (inner.subvolume.objectid, inner.inum)
        return Node(inner, ident, inner.mode, inner.uid, inner.gid, inner.size, inner.mtime_ns, inner.inode.nlink)

    def root(self):
        return self.node(self.top.root)

    def entries(self, node):
        return node.inner.iterdir()


class Ntfs:
    kind, unclean = "ntfs", None

    def __init__(self, stream):
        from dissect.ntfs import NTFS
        from dissect.ntfs.c_ntfs import ATTRIBUTE_TYPE_CODE

        self.codes = ATTRIBUTE_TYPE_CODE
        self.fs = NTFS(stream)
        self.label, self.uuid = self.fs.volume_name or "", f"{self.fs.serial:016X}"

    def node(self, inner):
        mode, size = stat.S_IFREG | 0o644, 0
        if inner.is_dir():
            mode = stat.S_IFDIR | 0o755
        elif inner.is_symlink() or inner.is_mount_point():
            mode = stat.S_IFLNK | 0o777
        elif inner.has_stream():
            size = inner.size()
        times = inner.attributes[self.codes.STANDARD_INFORMATION]
        mtime = times[0].attribute.last_modification_time_ns if times else 0
        return NtfsNode(inner, inner.segment, mode, size=size, mtime=mtime, nlink=inner.header.ReferenceCount)

    def root(self):
        return self.node(self.fs.mft.root)

    def entries(self, node):
        # Segments below 24 are the file system's own files.
        for entry in node.inner.iterdir(ignore_dos=True):
            record = entry.dereference()
            if record.segment >= 24:
                yield entry.attribute.file_name, record


class NtfsNode(Node):
    def open(self):
        return self.inner.open() if self.inner.has_stream() else io.BytesIO()

    def link(self):
        return (self.inner.reparse_point_name or self.inner.reparse_point_substitute_name).replace("\\", "/")


class Fat:
    unclean = None

    def __init__(self, stream):
        from dissect.fat import fat

        self.fs = fat.FATFS(stream)
        self.kind = f"fat{self.fs.type.name[-2:]}"
        self.label = self.fs.volume_label.strip()
        serial = self.fs.volume_id.upper().rjust(8, "0")
        self.uuid = f"{serial[:4]}-{serial[4:]}"

    def node(self, inner):
        folder = inner.is_directory()
        mode = stat.S_IFDIR | 0o755 if folder else stat.S_IFREG | (0o444 if inner.is_readonly() else 0o644)
        when = inner.mtime.replace(tzinfo=datetime.timezone.utc)
        mtime = int(when.timestamp()) * 1_000_000_000
        # Two empty files have the same cluster, none: they are no links of each other, of which FAT has none.
        return Node(inner, ("d", inner.cluster) if folder else None, mode, size=0 if folder else inner.size, mtime=mtime)

    def root(self):
        root = self.fs.root
        return Node(root, ("d", 0), stat.S_IFDIR | 0o755)

    def entries(self, node):
        return ((fat_name(child), child) for child in node.inner.iterdir() if not child.is_volume_id())


def fat_name(entry):
    """A short name is in capitals, but two bits that Windows NT began with say which half was typed small."""
    if entry.ldirents:
        return entry.name
    base, dot, extension = entry.short_name.partition(".")
    small = entry.dirent.DIR_NTRes
    return (base.lower() if small & 0x08 else base) + dot + (extension.lower() if small & 0x10 else extension)


def head(stream, offset, length):
    stream.seek(offset)
    return stream.read(length)


def recognise(stream):
    """The kind of what a volume holds, and its class if that can be read here."""
    first = head(stream, 0, 4096)
    if first[:4] == b"XFSB":
        return "xfs", Xfs
    if first[3:11] == b"NTFS    ":
        return "ntfs", Ntfs
    if first[3:11] == b"EXFAT   ":
        return "exfat", None
    if first[:4] == b"LUKS":
        return "luks", None
    if head(stream, 0x438, 2) == b"\x53\xef":
        return "ext", Ext
    if head(stream, 0x10040, 8) == b"_BHRfS_M":
        return "btrfs", Btrfs
    if first[510:512] == b"\x55\xaa" and (first[54:57] == b"FAT" or first[82:85] == b"FAT"):
        return "fat", Fat
    if first[4086:4096] == b"SWAPSPACE2":
        return "swap", None
    if any(first[sector : sector + 8] == b"LABELONE" for sector in range(0, 2048, 512)):
        return "lvm", None
    return "", None


class Volumes:
    """What a disk holds, by name: sda whole, sda1 a partition, group/volume of LVM."""

    def __init__(self, disk):
        self.streams = collections.OrderedDict()
        self.failures = []
        kind, _ = recognise(disk)
        if kind:
            self.streams["sda"] = disk
        else:
            self.partitions(disk)
        self.groups()
        self.opened = {}

    def partitions(self, disk):
        from dissect.util.stream import RangeStream
        from dissect.volume.disk import Disk
        from dissect.volume.disk.schemes import GPT

        disk.seek(0)
        try:
            table = Disk(disk)
            # GPT names the last sector, which Dissect 3.18 leaves out of the size.
            more = 512 if isinstance(table.scheme, GPT) else 0
            for partition in table.partitions:
                offset, size = partition.offset, min(partition.size + more, disk.size - partition.offset)
                if offset >= 0 and size > more and len(self.streams) < 1024:
                    self.streams[f"sda{partition.number}"] = RangeStream(disk, offset, size)
        except Exception as error:
            self.failures.append(f"the partition table: {text(error)}")

    def groups(self):
        from dissect.volume.lvm import LVM2
        from dissect.volume.lvm.physical import LVM2Device

        groups = collections.OrderedDict()
        for name, stream in list(self.streams.items()):
            try:
                if recognise(stream)[0] == "lvm":
                    device = LVM2Device(stream)
                    groups.setdefault(group_name(device), []).append(device)
            except Exception as error:
                self.failures.append(f"LVM on {name}: {text(error)}")
        for name, devices in groups.items():
            try:
                for volume in LVM2(devices).vg.lv:
                    if volume.is_visible:
                        self.streams[f"{name}/{volume.name}"] = volume.open()
            except Exception as error:
                self.failures.append(f"LVM's group {name}: {text(error)}")

    def open(self, name):
        if name not in self.streams:
            raise Trouble(f"no volume {name}; there are: {', '.join(self.streams) or 'none'}")
        if name not in self.opened:
            kind, reader = recognise(self.streams[name])
            if reader is None:
                raise Trouble(f"{name} holds {kind or 'nothing known'}, whose files are not read")
            self.opened[name] = reader(self.streams[name])
        return self.opened[name]


def group_name(device):
    return next((key for key, value in device.metadata.items() if isinstance(value, dict)), "?")


def text(error):
    if isinstance(error, MemoryError):
        return "needs too much memory, so it is damaged or made to"
    if isinstance(error, EOFError):
        return "ends too soon"
    if isinstance(error, (Trouble, OSError)):
        return str(error) or type(error).__name__
    return f"damaged ({type(error).__name__}: {str(error)[:300]})"


def children(fs, node):
    """Names and what has them, sorted; each name once."""
    step()
    found = {}
    for name, inner in fs.entries(node):
        if name not in (".", "..") and name not in found:
            found[name] = inner
            if len(found) > MOST_CHILDREN:
                raise Trouble(f"holds more than {MOST_CHILDREN} names")
    return sorted(found.items())


class Walk:
    """Goes to all that a path with globs names, and below if that is wanted."""

    def __init__(self, fs, deep, visit, fail):
        self.fs, self.deep, self.visit, self.fail = fs, deep, visit, fail
        self.seen = set()
        self.matched = False

    def run(self, path):
        parts = [part for part in path.split("/") if part and part != "."]
        if ".." in parts:
            raise Trouble("a path has no '..'")
        self.match(self.fs.root(), "", parts)
        if not self.matched:
            raise Trouble(f"no such file or folder: {path}")

    def match(self, node, path, parts):
        if not parts:
            self.matched = True
            self.reach(node, path, 0)
            return
        if not node.is_dir():
            return
        wild = any(sign in parts[0] for sign in "*?[")
        try:
            among = children(self.fs, node)
        except Exception as error:
            self.matched = True
            self.fail(path or "/", text(error))
            return
        for name, inner in among:
            if fnmatch.fnmatchcase(name, parts[0]) if wild else name == parts[0]:
                below = self.node(inner, f"{path}/{name}")
                if below:
                    self.match(below, f"{path}/{name}", parts[1:])

    def node(self, inner, path):
        try:
            step()
            return self.fs.node(inner)
        except Exception as error:
            self.matched = True
            self.fail(path, text(error))
            return None

    def reach(self, node, path, depth):
        """What a path names: itself, and what it holds (of a folder that is only listed, one level)."""
        if not node.is_dir():
            self.visit(node, path)
            return
        if depth > 0 or self.deep or not path:
            self.visit(node, path or "/")
        if depth > 0 and not self.deep:
            return
        if depth > MOST_DEPTH:
            self.fail(path, f"lies deeper than {MOST_DEPTH} folders")
            return
        if node.ident in self.seen:
            self.fail(path, "is a folder that is also elsewhere: the file system is damaged")
            return
        self.seen.add(node.ident)
        try:
            among = children(self.fs, node)
        except Exception as error:
            self.fail(path or "/", text(error))
            return
        for name, inner in among:
            below = self.node(inner, f"{path}/{name}")
            if below:
                self.reach(below, f"{path}/{name}", depth + 1)


class Reader:
    def __init__(self, parent, size):
        self.parent = parent
        self.volumes = Volumes(image_stream(parent, size))
        self.links = {}

    def answer(self, request):
        wanted = request["do"]
        try:
            step()
            if wanted == "volumes":
                self.list_volumes()
            else:
                fs = self.volumes.open(request["volume"])
                visit = self.list if wanted == "list" else self.bring
                self.links.clear()
                Walk(fs, request["deep"], visit, self.fail).run(request["path"])
        except Exception as error:
            self.fail("", text(error))
        step(0)
        self.parent.send(b"E", b"")

    def fail(self, path, error):
        self.parent.tell(path=path, error=error)

    def list(self, node, path):
        try:
            self.parent.tell(path=path, **node.facts())
        except Exception as error:
            self.fail(path, text(error))

    def bring(self, node, path):
        try:
            step()
            facts = node.facts()
            first = self.links.setdefault(node.ident, path) if node.nlink > 1 and not node.is_dir() else path
            if first != path:
                self.parent.tell(path=path, **{**facts, "type": "hard-link", "target": first})
                return
            content = node.open() if facts["type"] == "file" else None
            self.parent.tell(path=path, **facts)
            if content is not None:
                self.copy(content, node.size)
        except Exception as error:
            self.fail(path, text(error))

    def copy(self, content, left):
        while left > 0:
            step()
            piece = content.read(min(left, PIECE))
            if not piece:
                raise Trouble("ends before its size")
            self.parent.send(b"D", bytes(piece))
            left -= len(piece)

    def list_volumes(self):
        tables, told = [], []
        for name, stream in self.volumes.streams.items():
            step()
            facts = {"volume": name, "size": stream.size, "type": "", "label": "", "readable": False}
            try:
                facts["type"], reader = recognise(stream)
                if reader:
                    fs = self.volumes.open(name)
                    facts.update(type=fs.kind, label=fs.label, uuid=fs.uuid, readable=True, unclean=fs.unclean)
                    tables.extend(mounts(fs))
            except Exception as error:
                facts["error"] = text(error)
            told.append(facts)
        for facts in told:
            facts["mount"] = next((where for what, where in tables if names(what, facts)), None)
            self.parent.tell(**facts)
        for failure in self.volumes.failures:
            self.fail("", failure)


def mounts(fs):
    """What the file system's /etc/fstab says, if it has one."""
    try:
        lines = []
        found = []
        walk = Walk(fs, False, lambda node, path: found.append(node), lambda *_: None)
        walk.run("/etc/fstab")
        if found and stat.S_ISREG(found[0].mode):
            lines = found[0].open().read(1 << 16).decode(errors="replace").splitlines()
        fields = [line.split() for line in lines if line.strip() and not line.lstrip().startswith("#")]
        return [(field[0], field[1]) for field in fields if len(field) > 1 and field[1].startswith("/")]
    except Exception:
        return []


def names(what, facts):
    volume = facts["volume"]
    own = {f"/dev/{volume}", f"LABEL={facts['label']}" if facts["label"] else "", f"UUID={facts.get('uuid')}"}
    if "/" in volume:
        group, name = (part.replace("-", "--") for part in volume.split("/", 1))
        own.add(f"/dev/mapper/{group}-{name}")
    return what.replace('"', "") in own


def main():
    limit()
    parent = Parent()
    letter, body = parent.receive()
    try:
        step()
        reader = Reader(parent, json.loads(body)["imageBytes"])
        step(0)
        parent.send(b"E", b"")
    except ImportError as error:
        step(0)
        parent.tell(path="", error=f"{error}: install Dissect's parsers into this Python")
        parent.send(b"E", b"")
        parent.receive()
        return
    while True:
        letter, body = parent.receive()
        reader.answer(json.loads(body))


main()
