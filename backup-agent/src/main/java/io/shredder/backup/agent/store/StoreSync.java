// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import com.google.common.base.Throwables;
import io.shredder.backup.agent.container.ContainerWriters;
import io.shredder.backup.agent.container.Pause;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.region.StoredRegion;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Makes durable what was appended, containers first: the index is never ahead of them. Of those that ask at once, one
 * does it for all. Safe for any number of threads.
 */
final class StoreSync implements Closeable {

    /** So many entries of the index wait in memory at most before whoever puts more makes them durable. */
    static final int MOST_UNCOMMITTED = 1 << 17;

    private final ContainerWriters writers;
    private final FingerprintIndex index;

    /** Held while what was appended is made durable: by one for all who wait. */
    private final Object syncing = new Object();

    private volatile long syncsBegun;
    private long lastSyncDone;

    private final ExecutorService beside = Executors.newCachedThreadPool(work -> {
        Thread started = new Thread(work, "store-sync");
        started.setDaemon(true);
        return started;
    });

    /** The one that was begun last beside those who append; guarded by this. */
    private @Nullable Beside last;

    StoreSync(ContainerWriters writers, FingerprintIndex index) {
        this.writers = writers;
        this.index = index;
    }

    /** Makes all durable that was appended before, by anybody. */
    void all() throws IOException {
        all(() -> {});
    }

    /** @param begun called when others may append again, unless another one's work was enough */
    private void all(Runnable begun) throws IOException {
        long before = syncsBegun;
        synchronized (syncing) {
            if (lastSyncDone > before) {
                return; // It began after this was asked for.
            }
            long mine = syncsBegun + 1;
            syncsBegun = mine;
            cover(begun);
            lastSyncDone = mine;
        }
    }

    private void cover(Runnable begun) throws IOException {
        try (Pause pause = writers.pause()) {
            FingerprintIndex.Commit commit = index.beginCommit();
            begun.run();
            pause.force();
            commit.finish(pause.end());
        }
    }

    /**
     * Waits until a region can be appended. Where containers grow beside each other, what is full is made durable by a
     * thread of its own: whoever asks goes on as soon as one container has been, and the client's other requests don't
     * wait behind all of them.
     */
    void makeRoom(StoredRegion region) throws IOException {
        if (index.uncommitted() >= MOST_UNCOMMITTED) {
            all();
        }
        Beside waited = null;
        while (writers.mustCover(region)) {
            if (!writers.growSideBySide()) {
                all();
                return;
            } else if (waited != null) {
                await(waited.ended); // Its room has been taken by others, or it failed.
            }
            waited = begin();
            await(waited.begun);
        }
    }

    /** What makes durable beside those who append, and when they may go on. */
    private record Beside(CompletableFuture<Void> begun, CompletableFuture<Void> ended) {}

    private synchronized Beside begin() {
        if (last == null || last.ended.isDone()) {
            Beside begun = new Beside(new CompletableFuture<>(), new CompletableFuture<>());
            last = begun;
            beside.execute(() -> run(begun));
        }
        return last;
    }

    private void run(Beside own) {
        try {
            all(() -> own.begun.complete(null));
            own.ended.complete(null);
        } catch (IOException | RuntimeException | Error e) {
            own.ended.completeExceptionally(e);
        } finally {
            own.begun.complete(null);
        }
    }

    private static void await(CompletableFuture<Void> step) throws IOException {
        try {
            step.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the store");
        } catch (ExecutionException e) {
            throw new IOException(
                    "what was appended can't be made durable: "
                            + Throwables.getRootCause(e).getMessage(),
                    e);
        }
    }

    @Override
    public void close() {
        beside.shutdown();
    }
}
