// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

/** An address that is used by several threads and freed once, when none of them is inside a native call. */
final class NativeHandle {

    private final String owner;
    private final long address;
    private int callsInside;
    private boolean closed;

    NativeHandle(String owner, long address) {
        this.owner = owner;
        this.address = address;
    }

    /** The address, for one call that {@link #leave} ends. */
    synchronized long enter() {
        if (closed) {
            throw new IllegalStateException("the " + owner + " is closed");
        }
        callsInside++;
        return address;
    }

    synchronized void leave() {
        callsInside--;
        notifyAll();
    }

    /** Refuses further calls; true for the first caller, which then owns the address. */
    synchronized boolean beginClose() {
        boolean first = !closed;
        closed = true;
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
    synchronized long awaitLastLeave() {
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
