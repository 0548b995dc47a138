// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.protocol.BadChunkException;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.backup.seal.ChunkOpener;
import io.shredder.backup.seal.RepositoryKey;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Opens and proves fetched chunks, on a few threads of its own. */
final class ChunkOpeners implements AutoCloseable {

    private static final int MAX_THREADS = 4;

    private final Queue<ChunkOpener> idle = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads;
    private final RepositoryKey key;

    ChunkOpeners(RepositoryKey key) {
        this.key = key;
        AtomicInteger number = new AtomicInteger();
        int count = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
        threads = Executors.newFixedThreadPool(count, task -> {
            Thread thread = new Thread(task, "restore-open-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** The plain bytes of a chunk that is being fetched, proved to be those of {@code expected}. */
    CompletableFuture<byte[]> open(ChunkRef expected, CompletableFuture<StoredChunk> fetched) {
        return fetched.thenApplyAsync(chunk -> open(expected, chunk), threads);
    }

    private byte[] open(ChunkRef expected, StoredChunk chunk) {
        if (!chunk.ref().equals(expected)) {
            throw new CompletionException(
                    new IOException("the agent sent chunk " + chunk.ref().fingerprint() + " for chunk "
                            + expected.fingerprint() + ": run 'shredder-backup verify'"));
        }
        ChunkOpener taken = idle.poll();
        ChunkOpener opener = taken == null ? new ChunkOpener(key) : taken;
        try {
            return opener.open(chunk);
        } catch (BadChunkException e) {
            throw new CompletionException(new IOException(
                    e.getMessage() + ", as the agent sent it: run 'shredder-backup verify' to see where", e));
        } finally {
            idle.add(opener);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        try {
            threads.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        idle.forEach(ChunkOpener::close);
    }
}
