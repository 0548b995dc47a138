// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.restore;

import io.shredder.backup.client.Answers;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.server.stage.RestoreTimes;
import io.shredder.backup.server.targets.RestoreTarget;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What of an image is under way from the agent to the target, in the order of the image. Where the target takes any
 * order, whoever opened a batch writes it, while it is still in that core's cache; otherwise this thread does. One
 * thread.
 */
final class RestoreSteps {

    /** So many zeros are one step: a hole of terabytes is a few thousand of them, and progress is seen. */
    private static final long MOST_ZEROS = 1L << 30;

    private final ChunkFetcher fetcher;
    private final RestoreTarget target;
    private final LongSupplier mostPendingBytes;
    private final AtomicLong writtenBytes;
    private final RestoreTimes times;
    private final Queue<Step> pending = new ArrayDeque<>();
    private long pendingBytes;
    private long position;
    private RestoreBatch batch = new RestoreBatch(0);

    /** That end at the position and are no step yet. */
    private long zeros;

    /**
     * A stretch of the image.
     *
     * @param chunkBytes plain length of the chunks that are fetched for it
     * @param end waits until it is written, or writes it
     */
    private record Step(long imageBytes, int chunkBytes, StepEnd end) {}

    @FunctionalInterface
    private interface StepEnd {
        void await() throws IOException;
    }

    /**
     * From the image's first byte on.
     *
     * @param mostPendingBytes how much may be under way now, opened
     * @param writtenBytes is told how much was written
     */
    RestoreSteps(
            ChunkFetcher fetcher,
            RestoreTarget target,
            LongSupplier mostPendingBytes,
            AtomicLong writtenBytes,
            RestoreTimes times) {
        this.times = times;
        this.fetcher = fetcher;
        this.target = target;
        this.mostPendingBytes = mostPendingBytes;
        this.writtenBytes = writtenBytes;
    }

    /** The image goes on with these bytes. */
    void bytes(Pointer pointer) throws IOException {
        endZeros();
        if (!batch.hasRoomFor(pointer.chunk())) {
            send();
        }
        batch.add(pointer);
        position += pointer.length();
    }

    /** The image goes on with zeros. */
    void zeros(long count) throws IOException {
        send();
        position += count;
        zeros += count;
        batch = new RestoreBatch(position);
        if (zeros >= MOST_ZEROS) {
            endZeros();
        }
    }

    private void endZeros() throws IOException {
        if (zeros > 0) {
            long count = zeros;
            long from = position - count;
            zeros = 0;
            add(new Step(count, 0, () -> target.writeZeros(from, count)));
        }
    }

    /** Waits until all is written. */
    void finish() throws IOException {
        send();
        endZeros();
        drain(0);
    }

    /** Fetches what has gathered, and begins anew. */
    private void send() throws IOException {
        RestoreBatch full = batch;
        batch = new RestoreBatch(position);
        if (full.imageBytes() > 0) {
            add(new Step(full.imageBytes(), full.chunkBytes(), end(full)));
        }
    }

    private StepEnd end(RestoreBatch full) {
        fetcher.writesWait(target.takesAnyOrder() && target.writesWait());
        CompletableFuture<ChunkFetcher.Fetched> fetched = fetcher.fetch(full.chunks(), full.position());
        if (!target.takesAnyOrder()) {
            return () -> write(full, Answers.await(fetched));
        }
        CompletableFuture<Void> written = fetched.thenAccept(chunks -> {
            try {
                write(full, chunks);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        return () -> Answers.await(written);
    }

    private void write(RestoreBatch full, ChunkFetcher.Fetched chunks) throws IOException {
        try (chunks) {
            times.writing().called(() -> {
                full.write(chunks.plain(), target);
                return full;
            });
        }
    }

    private void add(Step step) throws IOException {
        pending.add(step);
        pendingBytes += step.chunkBytes();
        drain(mostPendingBytes.getAsLong());
    }

    private void drain(long allowedBytes) throws IOException {
        for (Step next = pending.peek();
                next != null && (allowedBytes == 0 || pendingBytes > allowedBytes || next.chunkBytes() == 0);
                next = pending.peek()) {
            pending.remove();
            times.listing().givingAway(next.end()::await);
            pendingBytes -= next.chunkBytes();
            writtenBytes.addAndGet(next.imageBytes());
        }
    }
}
