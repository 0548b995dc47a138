// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.Fingerprint;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The magic numbers and the written form of {@code docs/formats/memo.md}, version 4. All numbers are big-endian. */
final class MemoFormat {

    static final long HEADER_MAGIC = 0x5348_5244_4D45_4D4FL; // SHRDMEMO
    static final long TRAILER_MAGIC = 0x5348_5244_4D45_4E44L; // SHRDMEND
    static final int VERSION = 4;

    static final int IDENTITY_OFFSET = 16;
    static final int HEADER_BYTES = 80;
    static final int TRAILER_BYTES = 64;
    static final int ENTRY_HEAD_BYTES = Fingerprint.BYTES + 12;
    static final int SEGMENT_BYTES = 8 + Fingerprint.BYTES;
    static final int MAX_SEGMENTS = 1 << 20;

    private MemoFormat() {}

    static byte[] header(Fingerprint identity, Fingerprint jvm, MemoKind kind, int segments) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        header.putLong(HEADER_MAGIC)
                .putShort((short) VERSION)
                .putShort((short) kind.code())
                .putInt(segments);
        identity.write(header);
        jvm.write(header);
        return header.array();
    }

    /** The trailer up to its digest: what the digest covers of it. */
    static byte[] trailerHead(long indexOffset, long indexLength, int entries) {
        return ByteBuffer.allocate(24)
                .putLong(indexOffset)
                .putLong(indexLength)
                .putInt(entries)
                .putInt(0)
                .array();
    }

    static byte[] entry(MemoEntry entry) {
        byte[] counters = counters(entry.counters());
        byte[] dependencies = dependencies(entry.dependencies());
        ByteBuffer bytes = ByteBuffer.allocate(
                ENTRY_HEAD_BYTES + entry.segments().size() * SEGMENT_BYTES + counters.length + dependencies.length);
        entry.key().write(bytes);
        bytes.putInt(entry.reuse().code()).putInt(counters.length).putInt(dependencies.length);
        for (SegmentRef segment : entry.segments()) {
            bytes.putLong(segment.length());
            segment.digest().write(bytes);
        }
        return bytes.put(counters).put(dependencies).array();
    }

    static byte[] dependencies(List<Dependency> dependencies) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Dependency dependency : dependencies) {
            bytes.write(dependency.kind().code());
            addText(bytes, dependency.name());
            addText(bytes, dependency.state());
        }
        return bytes.toByteArray();
    }

    private static void addText(ByteArrayOutputStream bytes, String text) {
        byte[] utf8 = utf8(text);
        bytes.write(utf8.length >>> 8);
        bytes.write(utf8.length);
        bytes.writeBytes(utf8);
    }

    private static byte[] counters(List<CounterValue> counters) {
        int length = 0;
        for (CounterValue counter : counters) {
            length += 12 + utf8(counter.group()).length + utf8(counter.name()).length;
        }
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (CounterValue counter : counters) {
            byte[] group = utf8(counter.group());
            byte[] name = utf8(counter.name());
            bytes.putShort((short) group.length).put(group);
            bytes.putShort((short) name.length).put(name);
            bytes.putLong(counter.value());
        }
        return bytes.array();
    }

    private static byte[] utf8(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0xFFFF) {
            throw new IllegalArgumentException("a name of " + bytes.length + " bytes: at most 65535 can be kept");
        }
        return bytes;
    }
}
