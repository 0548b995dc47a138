// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.file;

/**
 * Some bytes of a file.
 *
 * @param from the first
 * @param to behind the last
 */
public record Span(long from, long to) {

    /** Refuses what ends before it begins. */
    public Span {
        if (from < 0 || to < from) {
            throw new IllegalArgumentException("no bytes from " + from + " to " + to);
        }
    }

    /** How many. */
    public long bytes() {
        return to - from;
    }

    /** Whether this byte is one of them. */
    public boolean contains(long offset) {
        return from <= offset && offset < to;
    }

    /** Those of them that fill whole blocks of a file system; none if there is no such block. */
    public Span wholeBlocks(int blockBytes) {
        long first = (from + blockBytes - 1) / blockBytes * blockBytes;
        return new Span(Math.min(first, to), Math.max(Math.min(first, to), to / blockBytes * blockBytes));
    }

    /** How many bytes are in both. */
    public long shared(Span other) {
        return Math.max(0, Math.min(to, other.to) - Math.max(from, other.from));
    }
}
