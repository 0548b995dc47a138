// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
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
    private final boolean tells;
    private final ToldExtents told = new ToldExtents();

    private NbdImage(NbdWire wire, NbdHandshake.Agreement agreement) {
        this.wire = wire;
        this.requests = new NbdRequests(wire, agreement);
        this.imageBytes = agreement.exportBytes();
        this.tells = agreement.contextNumber().isPresent();
    }

    /**
     * Connects and opens the export.
     *
     * @param timeout how long the server may be silent
     */
    static NbdImage open(NbdUri uri, Duration timeout) throws IOException {
        return open(uri, timeout, NbdContext.data());
    }

    /** The same with other ranges for its data. */
    static NbdImage open(NbdUri uri, Duration timeout, NbdContext context) throws IOException {
        NbdWire wire = new NbdWire(uri, timeout);
        try {
            return new NbdImage(wire, new NbdHandshake(wire, uri.export(), context).agree());
        } catch (IOException | RuntimeException e) {
            wire.close();
            throw e;
        }
    }

    /** Whether the server tells the context that it was asked for. */
    boolean tells() {
        return tells;
    }

    @Override
    public long imageBytes() {
        return imageBytes;
    }

    @Override
    public Optional<Extent> nextData(long from) throws IOException {
        if (!tells) {
            return from < imageBytes ? Optional.of(new Extent(from, imageBytes - from)) : Optional.empty();
        }
        told.moveTo(from);
        Optional<Extent> next = told.next(from);
        while (next.isEmpty() && told.upTo() < imageBytes) {
            askForMore();
            next = told.next(from);
        }
        return next;
    }

    /** Extents begin and end on blocks, since that is what servers read fastest. */
    private void askForMore() throws IOException {
        long from = told.upTo();
        long offset = from - from % BLOCK_BYTES;
        int bytes = (int) Math.min(STATUS_BYTES, imageBytes - offset);
        long upTo = requests.status(
                offset,
                bytes,
                (at, length) -> told.add(
                        at - at % BLOCK_BYTES,
                        Math.min(imageBytes, (at + length + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES)));
        if (upTo <= from) {
            throw wire.broken("tells nothing about what is at " + from);
        }
        told.grow(upTo);
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
