// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.workers.Workers;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many entries of the index a verification may hold at once: each of those that go on has the same share of what
 * all may, when it asks. So however many clients verify, memory is bounded: n of them have at most 1 + 1/2 + ... + 1/n
 * times that, if each began just after the one before had taken its share. Thread-safe.
 */
public final class SharedWindows {

    /** For each thread that reads: 11 MiB. */
    private static final long ENTRIES_EACH = 1 << 18;

    /** Of the heap that they take at most. */
    private static final int HEAP_SHARE = 12;

    private final Workers workers;
    private final AtomicInteger holders = new AtomicInteger();

    SharedWindows(Workers workers) {
        this.workers = workers;
    }

    /** Another verification goes on, until {@link #end}. */
    public void begin() {
        holders.incrementAndGet();
    }

    public void end() {
        holders.decrementAndGet();
    }

    /** The share of one. */
    public long share() {
        long most = Runtime.getRuntime().maxMemory() / HEAP_SHARE / IndexedContainer.ENTRY_BYTES;
        return Math.min(ENTRIES_EACH * workers.count(), most) / Math.max(1, holders.get());
    }
}
