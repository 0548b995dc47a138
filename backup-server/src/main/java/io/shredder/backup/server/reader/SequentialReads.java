// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

/**
 * Notices who reads in order, of several who may do so at once, and says what to fetch ahead of them: at first little,
 * then twice as much each time. Safe for several threads.
 */
final class SequentialReads {

    private static final int STREAMS = 16;
    private static final int FIRST_BYTES = 256 << 10;

    /** Requests in flight at once are seen in any order: a read so far from where one should begin goes on, too. */
    private static final long NEAR_BYTES = 1 << 20;

    private final long mostBytes;
    private final Stream[] streams = new Stream[STREAMS];
    private long clock;

    /** Where the next read of somebody is expected. */
    private static final class Stream {
        private long next;
        private long askedTo;
        private long aheadBytes;
        private long lastUse;
    }

    /**
     * What to fetch now.
     *
     * @param from offset of the first byte
     * @param to offset behind the last; not above {@code from} if there is nothing
     */
    record Range(long from, long to) {
        boolean isEmpty() {
            return to <= from;
        }
    }

    /** @param mostBytes ahead of each; 0 for nothing */
    SequentialReads(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Notes a read; the range is behind it, and may go beyond the image. */
    synchronized Range saw(long offset, long bytes) {
        if (mostBytes == 0) {
            return new Range(0, 0);
        }
        clock++;
        Stream found = find(offset);
        if (found == null) {
            begin(offset + bytes);
            return new Range(0, 0);
        }
        found.lastUse = clock;
        found.next = Math.max(found.next, offset + bytes);
        found.aheadBytes = Math.min(mostBytes, Math.max(FIRST_BYTES, 2 * found.aheadBytes));
        long to = found.next + found.aheadBytes;
        long from = Math.max(found.next, found.askedTo);
        // Some at a time, so that chunks are asked for together.
        if (to - from < found.aheadBytes / 4) {
            return new Range(0, 0);
        }
        found.askedTo = to;
        return new Range(from, to);
    }

    private @org.jspecify.annotations.Nullable Stream find(long offset) {
        for (Stream stream : streams) {
            if (stream != null && Math.abs(stream.next - offset) <= (stream.aheadBytes == 0 ? 0 : NEAR_BYTES)) {
                return stream;
            }
        }
        return null;
    }

    private void begin(long next) {
        int oldest = 0;
        for (int i = 0; i < STREAMS; i++) {
            if (streams[i] == null) {
                oldest = i;
                break;
            } else if (streams[i].lastUse < streams[oldest].lastUse) {
                oldest = i;
            }
        }
        Stream made = new Stream();
        made.next = next;
        made.lastUse = clock;
        streams[oldest] = made;
    }
}
