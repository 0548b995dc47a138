// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.BooleanSupplier;

/**
 * A bounded queue between two stages. It ends in one of two ways: closed by the stage that fills it, and then drained; or failed by
 * either side, and then everyone who uses it gets the failure at once. Safe for any number of threads.
 */
final class Pipe<T> {

    private final Queue<T> items = new ArrayDeque<>();
    private final int capacity;
    private boolean closed;
    private Optional<IOException> failure = Optional.empty();

    Pipe(int capacity) {
        this.capacity = capacity;
    }

    /** Waits for room. */
    synchronized void put(T item) throws IOException {
        waitWhile(() -> items.size() >= capacity);
        throwFailure();
        if (closed) {
            throw new IllegalStateException("the pipe is closed");
        }
        items.add(item);
        notifyAll();
    }

    /** Waits for an item; empty once the pipe is closed and drained. */
    synchronized Optional<T> take() throws IOException {
        waitWhile(() -> items.isEmpty() && !closed);
        throwFailure();
        Optional<T> item = Optional.ofNullable(items.poll());
        notifyAll();
        return item;
    }

    /** Whether whoever takes now would have to wait. */
    synchronized boolean isEmpty() {
        return items.isEmpty();
    }

    /** Nothing more will be put. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Ends the pipe for both sides; the first failure stays. */
    synchronized void fail(IOException error) {
        if (failure.isEmpty()) {
            failure = Optional.of(error);
        }
        notifyAll();
    }

    private synchronized void waitWhile(BooleanSupplier blocked) throws IOException {
        try {
            while (failure.isEmpty() && blocked.getAsBoolean()) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Gives the failure, if there is one, to whoever waited for the stages to end. */
    synchronized void throwIfFailed() throws IOException {
        throwFailure();
    }

    private void throwFailure() throws IOException {
        if (failure.isPresent()) {
            throw failure.get();
        }
    }
}
