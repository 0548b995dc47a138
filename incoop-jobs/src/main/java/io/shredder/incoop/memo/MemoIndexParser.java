// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.FieldReader;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the index of a memo file. Its digest has been checked by then, so a broken rule here means a broken writer; it
 * is refused all the same, at its offset.
 */
final class MemoIndexParser {

    /** A name has two bytes for its length. */
    private static final int MAX_NAME_BYTES = 0xFFFF;

    private final FieldReader index;
    private final long indexOffset;
    private final int segments;
    private long segmentOffset = MemoFormat.HEADER_BYTES;

    MemoIndexParser(String name, byte[] index, long indexOffset, int segments) {
        this.index = new FieldReader(ByteBuffer.wrap(index), name, indexOffset);
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
        check(index.remaining() == 0, "bytes behind the last entry");
        check(segmentOffset == indexOffset, "the segments do not fill the file up to the index");
        return List.copyOf(parsed);
    }

    private MemoEntry entry() throws DamagedDataException {
        Fingerprint key = index.fingerprint("an entry's key");
        int reuseCode = index.i32("a reuse code");
        check(reuseCode >= 0 && reuseCode < Reuse.values().length, "unknown reuse code " + reuseCode);
        int counterBytes = index.i32("the length of counters");
        int dependencyBytes = index.i32("the length of dependencies");
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
        long length = index.i64("a segment's length");
        check(
                length >= 0 && length <= indexOffset - segmentOffset && length <= Integer.MAX_VALUE,
                "segment of " + length + " bytes");
        SegmentRef segment = new SegmentRef(segmentOffset, (int) length, index.fingerprint("a segment's digest"));
        segmentOffset = segment.end();
        return segment;
    }

    private List<CounterValue> counters(int bytes) throws DamagedDataException {
        check(bytes >= 0 && bytes <= index.remaining(), "counters of " + bytes + " bytes");
        FieldReader part = index.part("counters", bytes);
        List<CounterValue> counters = new ArrayList<>();
        while (part.remaining() > 0) {
            String group = part.text("a counter's group", MAX_NAME_BYTES);
            String counter = part.text("a counter's name", MAX_NAME_BYTES);
            counters.add(new CounterValue(group, counter, part.i64("a counter's value")));
        }
        return counters;
    }

    private List<Dependency> dependencies(int bytes) throws DamagedDataException {
        check(bytes >= 0 && bytes <= index.remaining(), "dependencies of " + bytes + " bytes");
        FieldReader part = index.part("dependencies", bytes);
        List<Dependency> dependencies = new ArrayList<>();
        while (part.remaining() > 0) {
            int kind = part.u8("a kind of dependency");
            if (kind >= Dependency.Kind.values().length) {
                throw part.damaged("unknown kind of dependency " + kind);
            }
            String dependency = part.text("a dependency's name", MAX_NAME_BYTES);
            String state = part.text("a dependency's state", MAX_NAME_BYTES);
            dependencies.add(new Dependency(Dependency.Kind.ofCode(kind), dependency, state));
        }
        return dependencies;
    }

    private void check(boolean rule, String problem) throws DamagedDataException {
        if (!rule) {
            throw index.damaged(problem);
        }
    }
}
