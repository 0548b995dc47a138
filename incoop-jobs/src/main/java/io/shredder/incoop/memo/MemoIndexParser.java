// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the index of a memo file. Its digest has been checked by then, so a broken rule here means a broken writer; it
 * is refused all the same, at its offset.
 */
final class MemoIndexParser {

    private final String name;
    private final ByteBuffer index;
    private final long indexOffset;
    private final int segments;
    private long segmentOffset = MemoFormat.HEADER_BYTES;

    MemoIndexParser(String name, byte[] index, long indexOffset, int segments) {
        this.name = name;
        this.index = ByteBuffer.wrap(index);
        this.indexOffset = indexOffset;
        this.segments = segments;
    }

    List<MemoEntry> parse(int entries) throws DamagedDataException {
        long smallest = MemoFormat.ENTRY_HEAD_BYTES + (long) segments * MemoFormat.SEGMENT_BYTES;
        check(entries * smallest <= index.remaining(), "more entries than the index has room for");
        List<MemoEntry> parsed = new ArrayList<>(entries);
        for (int i = 0; i < entries; i++) {
            parsed.add(entry());
        }
        check(!index.hasRemaining(), "bytes behind the last entry");
        check(segmentOffset == indexOffset, "the segments do not fill the file up to the index");
        return List.copyOf(parsed);
    }

    private MemoEntry entry() throws DamagedDataException {
        need(MemoFormat.ENTRY_HEAD_BYTES + segments * MemoFormat.SEGMENT_BYTES);
        Fingerprint key = Fingerprint.read(index);
        int reuseCode = index.getInt();
        check(reuseCode >= 0 && reuseCode < Reuse.values().length, "unknown reuse code " + reuseCode);
        int counterBytes = index.getInt();
        int dependencyBytes = index.getInt();
        List<SegmentRef> parsed = new ArrayList<>(segments);
        for (int p = 0; p < segments; p++) {
            parsed.add(segment());
        }
        Reuse reuse = Reuse.ofCode(reuseCode);
        check(
                reuse != Reuse.STANDS || parsed.stream().allMatch(segment -> segment.length() == 0),
                "an entry that only says that another one stands has output");
        return new MemoEntry(key, reuse, parsed, counters(counterBytes), dependencies(dependencyBytes));
    }

    private SegmentRef segment() throws DamagedDataException {
        long length = index.getLong();
        check(
                length >= 0 && length <= indexOffset - segmentOffset && length <= Integer.MAX_VALUE,
                "segment of " + length + " bytes");
        SegmentRef segment = new SegmentRef(segmentOffset, (int) length, Fingerprint.read(index));
        segmentOffset = segment.end();
        return segment;
    }

    private List<CounterValue> counters(int bytes) throws DamagedDataException {
        check(bytes >= 0 && bytes <= index.remaining(), "counters of " + bytes + " bytes");
        int end = index.position() + bytes;
        List<CounterValue> counters = new ArrayList<>();
        while (index.position() < end) {
            String group = text(end);
            String counter = text(end);
            check(end - index.position() >= Long.BYTES, "counter without a value");
            counters.add(new CounterValue(group, counter, index.getLong()));
        }
        return counters;
    }

    private List<Dependency> dependencies(int bytes) throws DamagedDataException {
        check(bytes >= 0 && bytes <= index.remaining(), "dependencies of " + bytes + " bytes");
        int end = index.position() + bytes;
        List<Dependency> dependencies = new ArrayList<>();
        while (index.position() < end) {
            int kind = Byte.toUnsignedInt(index.get());
            check(kind < Dependency.Kind.values().length, "unknown kind of dependency " + kind);
            dependencies.add(new Dependency(Dependency.Kind.ofCode(kind), text(end), text(end)));
        }
        return dependencies;
    }

    private String text(int end) throws DamagedDataException {
        check(end - index.position() >= Short.BYTES, "an entry ends before a name");
        int length = Short.toUnsignedInt(index.getShort());
        check(end - index.position() >= length, "a name of " + length + " bytes");
        byte[] bytes = new byte[length];
        index.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void need(int bytes) throws DamagedDataException {
        check(bytes >= 0 && index.remaining() >= bytes, "the index ends within an entry");
    }

    private void check(boolean rule, String problem) throws DamagedDataException {
        if (!rule) {
            throw new DamagedDataException(name, indexOffset + index.position(), problem);
        }
    }
}
