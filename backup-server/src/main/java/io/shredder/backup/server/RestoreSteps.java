// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.Answers;
import io.shredder.backup.seal.Pointer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * What of an image is under way from the agent to the target, in the order of the image. Where the target takes any order, whoever opened a batch
 * writes it, while it is still in that core's cache; otherwise this thread does. One thread.
 */
final class RestoreSteps {

    /** Chunks are longer once they are opened. */
    private static final int PENDING_PER_WINDOW = 2;

    private final ChunkOpeners openers;
    private final RestoreTarget target;
    private final IntSupplier windowBytes;
    private final AtomicLong writtenBytes;
    private final Queue<Step> pending = new ArrayDeque<>();
    private long pendingBytes;
    private long position;
    private RestoreBatch batch = new RestoreBatch(0);

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
     * @param windowBytes how much may be on the connection now
     * @param writtenBytes is told how much was written
     */
    RestoreSteps(ChunkOpeners openers, RestoreTarget target, IntSupplier windowBytes, AtomicLong writtenBytes) {
        this.openers = openers;
        this.target = target;
        this.windowBytes = windowBytes;
        this.writtenBytes = writtenBytes;
    }

    /** The image goes on with these bytes. */
    void bytes(Pointer pointer) throws IOException {
        if (!batch.hasRoomFor(pointer.chunk())) {
            send();
        }
        batch.add(pointer);
        position += pointer.length();
    }

    /** The image goes on with zeros. */
    void zeros(long count) throws IOException {
        send();
        long from = position;
        position += count;
        batch = new RestoreBatch(position);
        add(new Step(count, 0, () -> target.writeZeros(from, count)));
    }

    /** Waits until all is written. */
    void finish() throws IOException {
        send();
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
        openers.writesWait(target.takesAnyOrder() && target.writesWait());
        CompletableFuture<ChunkOpeners.Opened> opened = openers.open(full.chunks(), full.position());
        if (!target.takesAnyOrder()) {
            return () -> write(full, Answers.await(opened));
        }
        CompletableFuture<Void> written = opened.thenAccept(chunks -> {
            try {
                write(full, chunks);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        return () -> Answers.await(written);
    }

    private void write(RestoreBatch full, ChunkOpeners.Opened chunks) throws IOException {
        try (chunks) {
            full.write(chunks.plain(), target);
        }
    }

    private void add(Step step) throws IOException {
        pending.add(step);
        pendingBytes += step.chunkBytes();
        drain((long) PENDING_PER_WINDOW * windowBytes.getAsInt());
    }

    private void drain(long allowedBytes) throws IOException {
        for (Step next = pending.peek();
                next != null && (allowedBytes == 0 || pendingBytes > allowedBytes || next.chunkBytes() == 0);
                next = pending.peek()) {
            pending.remove();
            next.end().await();
            pendingBytes -= next.chunkBytes();
            writtenBytes.addAndGet(next.imageBytes());
        }
    }
}
