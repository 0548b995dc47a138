// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An address that is used by several threads and freed once, when none of them is inside a native call. One that is
 * never closed is reported, not freed: who opens it closes it.
 */
public final class NativeHandle {

    private static final Logger LOG = LoggerFactory.getLogger(NativeHandle.class);
    private static final Cleaner LEAKS = Cleaner.create();

    private final String owner;
    private final long address;
    private int callsInside;
    private boolean closed;
    private final AtomicBoolean noLeak = new AtomicBoolean();

    /**
     * Of what is open now.
     *
     * @param owner what it is, for messages
     */
    public NativeHandle(String owner, long address) {
        this.owner = owner;
        this.address = address;
        AtomicBoolean closedInTime = noLeak; // the report must not hold this handle
        LEAKS.register(this, () -> reportLeak(owner, closedInTime));
    }

    private static void reportLeak(String owner, AtomicBoolean closedInTime) {
        if (!closedInTime.get()) {
            LOG.warn("one {} was never closed: its memory stays until the process ends", owner);
        }
    }

    /** The address, for one call that {@link #leave} ends. */
    public synchronized long enter() {
        if (closed) {
            throw new IllegalStateException("the " + owner + " is closed");
        }
        callsInside++;
        return address;
    }

    /** The same; 0, and nothing to leave, once it is closed. */
    synchronized long enterUnlessClosed() {
        return closed ? 0 : enter();
    }

    /** Ends a call. */
    public synchronized void leave() {
        callsInside--;
        notifyAll();
    }

    /** Refuses further calls; true for the first caller, which then owns the address. */
    public synchronized boolean beginClose() {
        boolean first = !closed;
        closed = true;
        noLeak.set(true);
        return first;
    }

    /**
     * Refuses further calls; true for the first caller, which then owns the address.
     *
     * @throws IllegalStateException if calls, or what they opened, are still under way
     */
    synchronized boolean closeIfUnused() {
        if (!closed && callsInside > 0) {
            throw new IllegalStateException("the " + owner + " is in use: close its streams first");
        }
        return beginClose();
    }

    /** Waits for the calls under way, which the caller has woken. An interrupt is kept for later. */
    public synchronized long awaitLastLeave() {
        boolean interrupted = false;
        while (callsInside > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return address;
    }

    /** The address, for who began the close. */
    long addressToClose() {
        return address;
    }
}
