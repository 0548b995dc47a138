// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

/**
 * Which of two ways to write takes less of the writers' time on this machine. Past the page cache they wait for the disk, and for each other; through
 * it they copy, into memory that the system may have to find first. Both differ tenfold from machine to machine, so each is tried with the
 * image's first bytes, and the quicker one writes the rest. Safe for several threads.
 */
final class WriteTrial {

    /** With so many bytes each way is tried: long enough that a single slow write decides nothing. */
    static final long BYTES = 128 << 20;

    private final long bytes;
    private final Way direct = new Way();
    private final Way cached = new Way();

    private static final class Way {
        private long bytes;
        private long ns;

        double nsPerByte() {
            return (double) ns / bytes;
        }
    }

    /** Each way is tried with so many bytes, the direct one first. */
    WriteTrial(long bytes) {
        this.bytes = bytes;
    }

    /** Whether the next bytes are to be written past the page cache. */
    synchronized boolean isDirectNext() {
        if (direct.bytes < bytes) {
            return true;
        }
        return cached.bytes >= bytes && direct.nsPerByte() <= cached.nsPerByte();
    }

    /** So many bytes took a writer so long. */
    synchronized void took(boolean directly, long count, long ns) {
        Way way = directly ? direct : cached;
        if (way.bytes < bytes) {
            way.bytes += count;
            way.ns += ns;
        }
    }
}
