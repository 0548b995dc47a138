// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which of two ways to write takes less of the writers' time on this machine. Past the page cache they wait for the disk, and for each other; through
 * it they copy, into memory that the system may have to find first. Both differ tenfold from machine to machine, so each is tried with the
 * image's first bytes, and the quicker one writes the rest. Safe for several threads.
 */
final class WriteTrial {

    /** With so many bytes each way is tried. */
    static final long BYTES = 32 << 20;

    private final long bytes;
    private final Way direct = new Way();
    private final Way cached = new Way();
    private boolean directIsQuicker;

    private record Write(long bytes, double nsPerByte) {}

    private static final class Way {
        private final List<Write> writes = new ArrayList<>();
        private long bytes;

        void took(long count, long ns) {
            writes.add(new Write(count, (double) ns / count));
            bytes += count;
        }

        /** What half of the bytes were not slower than: a single slow write decides nothing, nor do many small ones. */
        double nsPerByte() {
            writes.sort(Comparator.comparingDouble(Write::nsPerByte));
            long seen = 0;
            int last = -1;
            while (2 * seen < bytes) {
                seen += writes.get(++last).bytes();
            }
            return writes.get(last).nsPerByte();
        }
    }

    /** Each way is tried with so many bytes, at least one, the direct one first. */
    WriteTrial(long bytes) {
        this.bytes = bytes;
    }

    /** Whether the next bytes are to be written past the page cache. */
    synchronized boolean isDirectNext() {
        return direct.bytes < bytes || directIsQuicker;
    }

    /** So many bytes, at least one, took a writer so long. */
    synchronized void took(boolean directly, long count, long ns) {
        Way way = directly ? direct : cached;
        if (way.bytes < bytes) {
            way.took(count, ns);
            directIsQuicker =
                    direct.bytes >= bytes && cached.bytes >= bytes && direct.nsPerByte() <= cached.nsPerByte();
        }
    }
}
