// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.file.Span;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.FieldReader;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Which ranges of which containers are being released: the file {@code releasing} ({@code docs/formats/releasing.md}).
 *
 * @param ranges by container; ascending, none touches another
 */
record ReleaseNote(Map<Integer, List<Span>> ranges) {

    static final String FILE = "releasing";

    private static final int SPAN_BYTES = 8;
    private static final int CONTAINER_BYTES = 8;

    private static FileHeader header(UUID repository) {
        return new FileHeader(FileHeader.RELEASING_MAGIC, FileHeader.VERSION, 0, repository);
    }

    ByteBuffer encode(UUID repository) {
        int spans = ranges.values().stream().mapToInt(List::size).sum();
        int length = FileHeader.BYTES + ranges.size() * CONTAINER_BYTES + spans * SPAN_BYTES;
        ByteBuffer bytes = ByteBuffer.allocate(length + Fingerprint.BYTES);
        bytes.put(header(repository).encode());
        new TreeMap<>(ranges).forEach((container, list) -> {
            bytes.putInt(container).putInt(list.size());
            list.forEach(span -> bytes.putInt(Math.toIntExact(span.from())).putInt(Math.toIntExact(span.to())));
        });
        Fingerprint.ofData(bytes.slice(0, length)).write(bytes);
        return bytes.flip();
    }

    static ReleaseNote read(ByteBuffer bytes, UUID repository) throws DamagedDataException {
        header(repository).check(bytes, FILE);
        int end = bytes.limit() - Fingerprint.BYTES;
        if (end < FileHeader.BYTES) {
            throw new DamagedDataException(FILE, bytes.limit(), "ends before its digest");
        }
        if (!Fingerprint.ofData(bytes.slice(0, end)).equals(Fingerprint.read(bytes.slice(end, Fingerprint.BYTES)))) {
            throw new DamagedDataException(FILE, end, "its SHA-256 differs");
        }
        Map<Integer, List<Span>> ranges = new TreeMap<>();
        FieldReader in = new FieldReader(bytes.slice(FileHeader.BYTES, end - FileHeader.BYTES), FILE, FileHeader.BYTES);
        while (in.remaining() > 0) {
            readContainer(in, ranges);
        }
        return new ReleaseNote(ranges);
    }

    private static void readContainer(FieldReader in, Map<Integer, List<Span>> ranges) throws DamagedDataException {
        int container = in.i32("a container's number");
        int count = in.i32("a container's number of ranges");
        if (container < 1 || ranges.containsKey(container)) {
            throw in.damaged("container " + container + " is not one, or again");
        } else if (count < 0 || count > in.remaining() / SPAN_BYTES) {
            throw in.damaged(count + " ranges, more than there are bytes for");
        }
        List<Span> spans = new ArrayList<>(count);
        for (int end = FileHeader.BYTES - 1; count > 0; count--) {
            int from = in.i32("the start of a range");
            int to = in.i32("the end of a range");
            if (from <= end || to <= from) {
                throw in.damaged("a range from " + from + " to " + to + " after " + end);
            }
            spans.add(new Span(from, to));
            end = to;
        }
        ranges.put(container, spans);
    }
}
