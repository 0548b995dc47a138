// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import io.shredder.backup.posix.DirectMemory;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Opened stretches of an image, outside of the heap: as many as fit, the last used. Memory is in slots of equal size,
 * so that nothing is moved, and is taken from the system as it is first needed. Safe for several threads.
 */
final class StretchCache implements Closeable {

    private static final int SLOT_BYTES = 32 << 10;
    private static final int BLOCK_SLOTS = 128;
    private static final long DAMAGE_KNOWN_NS = TimeUnit.SECONDS.toNanos(10);

    private final int mostSlots;

    // All of these under the lock.
    private final List<ByteBuffer> blocks = new ArrayList<>();

    private int[] free = new int[0];

    private int freeCount;

    /** By where they begin in the image, the last used last. */
    private final LinkedHashMap<Long, Held> held = new LinkedHashMap<>(16, 0.75f, true);

    /** How many stretches are being filled, which are not held yet. */
    private int fillings;

    private boolean closed;

    /** A stretch's memory. */
    private static final class Held {
        private final ByteBuffer[] slots;
        private final int[] numbers;
        private List<DamagedRangeException> damage = List.of();
        private long damagedUntilNs;
        private int readers;

        Held(ByteBuffer[] slots, int[] numbers) {
            this.slots = slots;
            this.numbers = numbers;
        }

        /** Damage may be mended: after a while nothing is known any more. */
        boolean isKnown() {
            return damage.isEmpty() || System.nanoTime() - damagedUntilNs < 0;
        }

        void check(long from, long to) throws DamagedRangeException {
            for (DamagedRangeException range : damage) {
                if (range.offset() < to && range.offset() + range.bytes() > from) {
                    throw range;
                }
            }
        }
    }

    /** What fills a stretch's memory. */
    interface Filling {
        /** Copies all bytes of this part of it, whose index 0 is {@code from} behind the stretch's beginning. */
        void fill(int from, ByteBuffer part);
    }

    StretchCache(long bytes) {
        this.mostSlots = (int) Math.max(1, bytes / SLOT_BYTES);
    }

    /** Whether it is there. */
    synchronized boolean has(long start) {
        Held found = held.get(start);
        return found != null && found.isKnown();
    }

    /**
     * Fills the buffer with the stretch's bytes from one of them on.
     *
     * @return whether they are there
     * @throws DamagedRangeException if some of them can't be read; the buffer is as it was
     */
    boolean read(long start, int from, ByteBuffer into) throws DamagedRangeException {
        Held found;
        synchronized (this) {
            found = held.get(start);
            if (found == null || !found.isKnown()) {
                return false;
            }
            found.check(start + from, start + from + into.remaining());
            found.readers++;
        }
        try {
            copy(found, from, into);
            return true;
        } finally {
            synchronized (this) {
                found.readers--;
                notifyAll();
            }
        }
    }

    private static void copy(Held found, int from, ByteBuffer into) {
        int at = from;
        while (into.hasRemaining()) {
            int offset = at % SLOT_BYTES;
            int count = Math.min(into.remaining(), SLOT_BYTES - offset);
            into.put(found.slots[at / SLOT_BYTES].slice(offset, count));
            at += count;
        }
    }

    /** Keeps a stretch of so many bytes, in place of those that nobody has read for longest. */
    void put(long start, int bytes, Filling filling) throws InterruptedException {
        put(start, bytes, filling, List.of());
    }

    /** The same of one that is damaged in some ranges: those are never read, the others are, for a while. */
    void put(long start, int bytes, Filling filling, List<DamagedRangeException> damage) throws InterruptedException {
        Held made = take((bytes + SLOT_BYTES - 1) / SLOT_BYTES);
        if (made == null) {
            return;
        }
        try {
            for (int from = 0; from < bytes; from += SLOT_BYTES) {
                int count = Math.min(SLOT_BYTES, bytes - from);
                filling.fill(from, made.slots[from / SLOT_BYTES].slice(0, count));
            }
            made.damage = List.copyOf(damage);
            made.damagedUntilNs = System.nanoTime() + DAMAGE_KNOWN_NS;
            hold(start, made);
        } finally {
            synchronized (this) {
                fillings--;
            }
        }
    }

    private synchronized void hold(long start, Held made) throws InterruptedException {
        Held before = held.put(start, made);
        if (before != null) {
            giveBackOnceRead(before);
        }
    }

    /** Waits for readers if it must; none once this is closed. */
    private synchronized @Nullable Held take(int count) throws InterruptedException {
        while (!closed && freeCount < count) {
            if (blocks.size() * BLOCK_SLOTS < mostSlots || !canEver(count)) {
                addBlock();
            } else if (!letOneGo()) {
                wait();
            }
        }
        if (closed) {
            return null;
        }
        int[] numbers = new int[count];
        ByteBuffer[] slots = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = free[--freeCount];
            ByteBuffer block = blocks.get(numbers[i] / BLOCK_SLOTS);
            slots[i] = block.slice(numbers[i] % BLOCK_SLOTS * SLOT_BYTES, SLOT_BYTES);
        }
        fillings++;
        return new Held(slots, numbers);
    }

    private boolean canEver(int count) {
        return blocks.size() * BLOCK_SLOTS >= count;
    }

    private void addBlock() {
        int first = blocks.size() * BLOCK_SLOTS;
        blocks.add(ByteBuffer.allocateDirect(BLOCK_SLOTS * SLOT_BYTES));
        free = java.util.Arrays.copyOf(free, first + BLOCK_SLOTS);
        for (int number = first + BLOCK_SLOTS - 1; number >= first; number--) {
            free[freeCount++] = number;
        }
    }

    /** Lets go of the one that was not used for longest; returns whether there was one that nobody reads. */
    private boolean letOneGo() {
        for (Iterator<Held> eldest = held.values().iterator(); eldest.hasNext(); ) {
            Held candidate = eldest.next();
            if (candidate.readers == 0) {
                eldest.remove();
                giveBack(candidate);
                return true;
            }
        }
        return false;
    }

    private void giveBackOnceRead(Held before) throws InterruptedException {
        while (before.readers > 0) {
            wait();
        }
        giveBack(before);
    }

    private void giveBack(Held unused) {
        for (int number : unused.numbers) {
            free[freeCount++] = number;
        }
        notifyAll();
    }

    /** What is read or filled at this moment is so to its end; its memory then goes when nothing leads to it. */
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
        boolean quiet = fillings == 0 && held.values().stream().allMatch(one -> one.readers == 0);
        held.clear();
        if (quiet) {
            blocks.forEach(DirectMemory::free);
        }
        blocks.clear();
    }
}
