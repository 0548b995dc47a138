// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * An export of an NBD server, by the NBD project's {@code doc/proto.md}. Several reads are under way at once; what the
 * server reports as zero isn't read.
 */
final class NbdImage implements ImageSource {

    private static final int READ_BYTES = 4 << 20;
    private static final int REQUEST_BYTES = 256 << 10;
    private static final int STATUS_BYTES = 1 << 30;
    private static final int BLOCK_BYTES = 4096;

    private final NbdWire wire;
    private final NbdRequests requests;
    private final long imageBytes;
    private final boolean tellsZeros;
    /** What the server has told but nobody has asked for yet: extents in order, up to {@link #toldUpTo}. */
    private final Deque<Extent> told = new ArrayDeque<>();

    private long toldUpTo;
    private long handedOutUpTo;

    private NbdImage(NbdWire wire, NbdHandshake.Agreement agreement) {
        this.wire = wire;
        this.requests = new NbdRequests(wire, agreement);
        this.imageBytes = agreement.exportBytes();
        this.tellsZeros = agreement.allocationContext().isPresent();
    }

    /**
     * Connects and opens the export.
     *
     * @param timeout how long the server may be silent
     */
    static NbdImage open(NbdUri uri, Duration timeout) throws IOException {
        NbdWire wire = new NbdWire(uri, timeout);
        try {
            return new NbdImage(wire, new NbdHandshake(wire, uri.export()).agree());
        } catch (IOException | RuntimeException e) {
            wire.close();
            throw e;
        }
    }

    @Override
    public long imageBytes() {
        return imageBytes;
    }

    @Override
    public Optional<Extent> nextData(long from) throws IOException {
        if (!tellsZeros) {
            return from < imageBytes ? Optional.of(new Extent(from, imageBytes - from)) : Optional.empty();
        }
        if (from < handedOutUpTo) {
            told.clear();
            toldUpTo = from;
        }
        toldUpTo = Math.max(toldUpTo, from);
        Optional<Extent> next = firstBehind(from);
        while (next.isEmpty() && toldUpTo < imageBytes) {
            askForMore();
            next = firstBehind(from);
        }
        handedOutUpTo = next.map(Extent::end).orElse(imageBytes);
        return next;
    }

    private Optional<Extent> firstBehind(long from) {
        for (Extent next = told.poll(); next != null; next = told.poll()) {
            if (next.end() > from) {
                long start = Math.max(from, next.offset());
                return Optional.of(new Extent(start, next.end() - start));
            }
        }
        return Optional.empty();
    }

    /** Adjoining data becomes one extent; extents begin and end on blocks, since that is what servers read fastest. */
    private void askForMore() throws IOException {
        long from = toldUpTo;
        long offset = from - from % BLOCK_BYTES;
        int bytes = (int) Math.min(STATUS_BYTES, imageBytes - offset);
        toldUpTo = requests.status(offset, bytes, (at, length) -> {
            long start = Math.max(from, at - at % BLOCK_BYTES);
            long end = Math.min(imageBytes, (at + length + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES);
            Extent last = told.peekLast();
            if (last != null && last.end() >= start) {
                told.removeLast();
                start = last.offset();
                end = Math.max(end, last.end());
            }
            if (end > start) {
                told.addLast(new Extent(start, end - start));
            }
        });
        if (toldUpTo <= from) {
            throw wire.broken("tells nothing about what is at " + from);
        }
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
        int start = into.position();
        int sent = 0;
        int total = into.remaining();
        while (sent < total || requests.underWay() > 0) {
            if (sent < total && requests.underWay() < NbdRequests.MAX_UNDER_WAY) {
                int count = Math.min(REQUEST_BYTES, total - sent);
                requests.read(into.slice(start + sent, count), offset + sent);
                sent += count;
            } else {
                requests.receive();
            }
        }
        requests.throwIfFailed();
        into.position(start + total);
    }

    @Override
    public int readBytes() {
        return READ_BYTES;
    }

    /** An export has one length as long as the connection lasts. */
    @Override
    public void checkUnchanged() {}

    @Override
    public void close() throws IOException {
        try (wire) {
            requests.disconnect();
        }
    }
}
