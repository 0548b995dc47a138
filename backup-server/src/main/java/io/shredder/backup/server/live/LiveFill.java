// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.live;

import io.shredder.backup.posix.ThreadNiceness;
import io.shredder.backup.server.nbd.NbdVolume;
import io.shredder.backup.server.reader.DamagedRangeException;
import io.shredder.backup.server.reader.ImageExtent;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Brings what isn't there yet from the backup, a stripe at a time: first where the guest missed something, then front
 * to back. It gives way to the guest: before each stripe it waits while a request is under way, but no longer than
 * {@link #MOST_WAIT_MS}. Damaged bytes stay away. What else fails is tried again until it works. One thread, {@code
 * live-fill}.
 */
final class LiveFill implements Closeable {

    private static final long MOST_WAIT_MS = 5;
    private static final long RETRY_MS = 5_000;

    /** So much is filled at most before the map says so for good. */
    private static final long DURABLE_BYTES = 64 << 20;

    private static final long AHEAD_BYTES = 8 << 20;
    private static final long POLL_MS = 200;

    private final NbdVolume backup;
    private final LiveVolume volume;
    private final LiveMap map;
    private final GuestTraffic traffic;
    private final long bytesPerSecond;
    private final Consumer<String> lines;
    private final Completion completion;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LiveVolume.STRIPE_BYTES);
    private final Thread thread = new Thread(this::run, "live-fill");
    private long fromByte;
    private long undurable;
    private long paidUntilNs = System.nanoTime();
    private String said = "";
    private volatile LiveState state = LiveState.FILLING;
    private boolean closed;

    /** What is done once all is there. */
    interface Completion {
        void complete() throws IOException;
    }

    /**
     * Starts nothing yet.
     *
     * @param bytesPerSecond the most that is filled; 0 for any
     * @param lines gets a line for what stands in the way
     */
    LiveFill(
            NbdVolume backup,
            LiveVolume volume,
            LiveMap map,
            GuestTraffic traffic,
            long bytesPerSecond,
            Consumer<String> lines,
            Completion completion) {
        this.backup = backup;
        this.volume = volume;
        this.map = map;
        this.traffic = traffic;
        this.bytesPerSecond = bytesPerSecond;
        this.lines = lines;
        this.completion = completion;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        ThreadNiceness.giveWay();
        try {
            while (!map.isWhole() && state != LiveState.FAILED && !isClosed()) {
                step();
            }
            while (map.isWhole() && !isClosed() && !attempt(completion)) {
                pause(RETRY_MS);
            }
            if (map.isWhole() && !isClosed()) {
                become(LiveState.WHOLE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | LinkageError e) {
            say("unexpected error, no more is filled: " + e);
            become(LiveState.FAILED);
        }
    }

    private void step() throws InterruptedException {
        OptionalLong missed = nextMissed();
        long size = map.header().imageBytes();
        long at = missed.orElseGet(() -> nextAbsent(fromByte, size));
        if (at >= size) {
            become(LiveState.DAMAGED);
            pause(POLL_MS); // The guest may write over what is damaged.
            return;
        }
        traffic.awaitQuiet(MOST_WAIT_MS);
        long end = stripeEnd(at);
        if (attempt(() -> fill(at, end, missed.isEmpty()))) {
            fromByte = missed.isPresent() ? fromByte : end;
        } else if (map.failure() != null) {
            become(LiveState.FAILED);
        } else {
            pause(RETRY_MS);
        }
    }

    private long stripeEnd(long offset) {
        long end = (offset / LiveVolume.STRIPE_BYTES + 1) * LiveVolume.STRIPE_BYTES;
        return Math.min(map.header().imageBytes(), end);
    }

    /** A stripe in which the guest missed something that is still away; before {@code fromByte} that is damage. */
    private OptionalLong nextMissed() {
        for (OptionalLong missed = traffic.nextMissed(); missed.isPresent(); missed = traffic.nextMissed()) {
            long start = missed.getAsLong() / LiveVolume.STRIPE_BYTES * LiveVolume.STRIPE_BYTES;
            long end = stripeEnd(start);
            if (start >= fromByte && nextAbsent(start, end) < end) {
                return OptionalLong.of(start);
            }
        }
        return OptionalLong.empty();
    }

    /** The offset of the first block that isn't there. */
    private long nextAbsent(long from, long end) {
        LiveHeader header = map.header();
        long block = map.next(false, from / header.blockBytes(), header.blocksTo(end));
        return Math.min(end, block * header.blockBytes());
    }

    /** Returns whether it went well; says once why not. */
    private boolean attempt(Completion work) {
        try {
            work.complete();
            said = "";
            return true;
        } catch (IOException e) {
            if (!isClosed()) {
                say(e.getMessage() + "; what isn't there yet will be tried again");
            }
            return false;
        }
    }

    private void say(String line) {
        if (!line.equals(said)) {
            said = line;
            lines.accept(line);
        }
    }

    private void fill(long from, long to, boolean isInOrder) throws IOException {
        long filled = 0;
        for (long at = nextAbsent(from, to); at < to; at = nextAbsent(at, to)) {
            ImageExtent extent = backup.extents(at, to - at, 1).get(0);
            // A block in which data follows a hole is data.
            long holeEnd = extent.end() == to ? to : floor(extent.end());
            if (extent.isHole() && holeEnd > at) {
                volume.fillZeros(at, holeEnd);
                at = holeEnd;
            } else {
                long end = extent.isHole() ? Math.min(to, at + map.header().blockBytes()) : runEnd(at, to, extent);
                filled += end - at;
                at = fillBytes(at, end, to, isInOrder);
            }
        }
        if (filled > 0) {
            volume.writeOut(from, to);
        }
        pay(filled);
        undurable += filled;
        if (undurable >= DURABLE_BYTES) {
            volume.makeDurable();
            undurable = 0;
        }
    }

    private long floor(long offset) {
        return offset - offset % map.header().blockBytes();
    }

    private long ceiling(long offset, long most) {
        return Math.min(most, floor(offset + map.header().blockBytes() - 1));
    }

    /** As far as it is data, and isn't there. */
    private long runEnd(long at, long to, ImageExtent extent) {
        LiveHeader header = map.header();
        long there = map.next(true, at / header.blockBytes(), header.blocksTo(to)) * header.blockBytes();
        return Math.min(Math.min(to, there), ceiling(extent.end(), to));
    }

    /** Returns behind what is done with: damage is left away. */
    private long fillBytes(long from, long end, long stripeEnd, boolean isInOrder) throws IOException {
        try {
            buffer.clear().limit((int) (end - from));
            backup.read(from, buffer);
            if (isInOrder && stripeEnd < backup.size()) {
                backup.prefetch(stripeEnd, Math.min(AHEAD_BYTES, backup.size() - stripeEnd));
            }
            volume.fill(from, buffer.flip());
            return end;
        } catch (DamagedRangeException e) {
            long damaged = Math.max(from, floor(e.offset()));
            if (damaged > from) {
                backup.read(from, buffer.clear().limit((int) (damaged - from)));
                volume.fill(from, buffer.flip());
            }
            return Math.max(damaged + 1, ceiling(e.offset() + e.bytes(), end));
        }
    }

    /** Waits until so much may be filled. */
    private void pay(long bytes) throws IOException {
        if (bytesPerSecond == 0) {
            return;
        }
        long now = System.nanoTime();
        paidUntilNs = Math.max(now, paidUntilNs) + (long) (bytes * 1e9 / bytesPerSecond);
        try {
            pause(TimeUnit.NANOSECONDS.toMillis(paidUntilNs - now));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private synchronized void pause(long milliseconds) throws InterruptedException {
        long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        for (long leftMs = milliseconds; !closed && leftMs > 0; ) {
            wait(leftMs);
            leftMs = TimeUnit.NANOSECONDS.toMillis(untilNs - System.nanoTime());
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void become(LiveState next) {
        state = next;
        notifyAll();
    }

    LiveState state() {
        return state;
    }

    /** Waits until it isn't filling any more; what it is then. */
    synchronized LiveState awaitEnd() throws InterruptedException {
        while (state == LiveState.FILLING && !closed) {
            wait();
        }
        return state;
    }

    /** Ends; what was filled stays. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
