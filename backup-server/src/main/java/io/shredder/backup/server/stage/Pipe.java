// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * A bounded queue between two stages. It ends in one of two ways: closed by the stage that fills it, and then drained;
 * or failed by either side, and then everyone who uses it gets the failure at once. Safe for any number of threads.
 */
public final class Pipe<T> {

    private final Lock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final Condition filled = lock.newCondition();
    /** For those who may not take: nothing that is put concerns them. */
    private final Condition ended = lock.newCondition();

    private final Queue<T> items = new ArrayDeque<>();
    private final IntSupplier capacity;
    private boolean closed;
    private Optional<IOException> failure = Optional.empty();

    /** Holds at most so many items. */
    public Pipe(int capacity) {
        this(() -> capacity);
    }

    /** Holds at most so many items at the time; {@link #recheck} after each change. */
    public Pipe(IntSupplier capacity) {
        this.capacity = capacity;
    }

    /** Waits for room. */
    public void put(T item) throws IOException {
        lock.lock();
        try {
            waitWhile(() -> room, () -> items.size() >= capacity.getAsInt());
            throwFailure();
            if (closed) {
                throw new IllegalStateException("the pipe is closed");
            }
            items.add(item);
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for an item; empty once the pipe is closed and drained. */
    public Optional<T> take() throws IOException {
        return take(() -> true);
    }

    /**
     * The same for somebody who takes only while it may, and otherwise waits for the pipe's end.
     *
     * @param may asked again after each {@link #recheck}
     */
    public Optional<T> take(BooleanSupplier may) throws IOException {
        lock.lock();
        try {
            waitWhile(() -> may.getAsBoolean() ? filled : ended, () -> items.isEmpty() ? !closed : !may.getAsBoolean());
            throwFailure();
            Optional<T> item = Optional.ofNullable(items.poll());
            room.signal();
            if (closed && items.isEmpty()) {
                wakeAll();
            }
            return item;
        } finally {
            lock.unlock();
        }
    }

    /** Whether whoever takes now would have to wait. */
    public boolean isEmpty() {
        lock.lock();
        try {
            return items.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** How much it holds, or who may take, may be another now. */
    public void recheck() {
        lock.lock();
        try {
            wakeAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more will be put. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            wakeAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the pipe for both sides; the first failure stays. */
    public void fail(IOException error) {
        lock.lock();
        try {
            if (failure.isEmpty()) {
                failure = Optional.of(error);
            }
            wakeAll();
        } finally {
            lock.unlock();
        }
    }

    private void wakeAll() {
        room.signalAll();
        filled.signalAll();
        ended.signalAll();
    }

    /** Waits for what {@code changed} says each time. */
    private void waitWhile(Supplier<Condition> changed, BooleanSupplier blocked) throws IOException {
        try {
            while (failure.isEmpty() && blocked.getAsBoolean()) {
                changed.get().await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Gives the failure, if there is one, to whoever waited for the stages to end. */
    public void throwIfFailed() throws IOException {
        lock.lock();
        try {
            throwFailure();
        } finally {
            lock.unlock();
        }
    }

    private void throwFailure() throws IOException {
        if (failure.isPresent()) {
            throw failure.get();
        }
    }
}
