// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.workers;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/**
 * Pieces of work that follow each other, done by {@link Workers} ahead of who asks for their results, several at once;
 * the results come in order. For one thread.
 */
public final class Ahead<T> implements Closeable {

    private final Workers workers;
    private final int most;
    private final Source<T> source;
    private final Deque<Future<T>> begun = new ArrayDeque<>();
    private boolean ended;
    private volatile boolean closed;

    /** Tells what is to be done next. */
    public interface Source<T> {
        /** Empty at the end, or if it fails, which whoever asks for the result hears in its turn. */
        Optional<Work<T>> next() throws IOException;
    }

    /** A piece of work. */
    public interface Work<T> {
        /** Does it; nobody wants what comes of it any more once {@code stopped} says so. */
        T run(BooleanSupplier stopped) throws IOException;
    }

    /** Begins nothing yet; closed by whoever makes it. */
    public Ahead(Workers workers, Source<T> source) {
        this.workers = workers;
        this.most = 2 * workers.count(); // So that none is idle while whoever asks comes back.
        this.source = source;
    }

    /** The next result; empty behind the last. */
    public Optional<T> next() throws IOException {
        fill();
        Future<T> first = begun.poll();
        if (first == null) {
            return Optional.empty();
        }
        T result = Workers.result(first);
        fill();
        return Optional.of(result);
    }

    private void fill() {
        while (!ended && begun.size() < most) {
            begin().ifPresentOrElse(begun::add, () -> ended = true);
        }
    }

    private Optional<Future<T>> begin() {
        try {
            return source.next().map(work -> workers.begin(() -> run(work)));
        } catch (IOException e) {
            ended = true;
            return Optional.of(CompletableFuture.failedFuture(e));
        }
    }

    private T run(Work<T> work) throws IOException {
        if (closed) {
            throw new IOException("nobody wants it any more");
        }
        return work.run(() -> closed);
    }

    /** Ends what goes on, and waits for it. */
    @Override
    public void close() {
        closed = true;
        ended = true;
        begun.forEach(Workers::awaitEnd);
        begun.clear();
    }
}
