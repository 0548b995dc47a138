// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.move;

import com.google.common.util.concurrent.RateLimiter;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves one file after the other, in a thread named {@code store-move}. A file that can't be moved is tried again once
 * all others were.
 */
final class BackgroundMove implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundMove.class);
    private static final long PAUSE_MS = TimeUnit.MINUTES.toMillis(1);
    private static final long PROGRESS_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long CHANGED_MS = 100;
    private static final long TURN_MS = 20;
    private static final int PIECE_BYTES = 256 << 10;

    /** What is not longer is written as a small file, which lies at each keeper. */
    private static final int SMALL_BYTES = 16 << 10;

    private final MovingStorage storage;
    private final Path scratch;
    private final Optional<RateLimiter> rate;
    private final MoveNote done;
    private final Storage to;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "store-move");
    private final Set<String> told = new HashSet<>();
    private final ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);

    /** Whether a file was changed while it was to be moved, so that it can be moved soon. */
    private boolean changed;

    private BackgroundMove(MovingStorage storage, StoreMove move, MoveNote done, Storage to) {
        this.storage = storage;
        this.scratch = move.scratch();
        this.rate = move.bytesPerSecond().stream().mapToObj(RateLimiter::create).findFirst();
        this.done = done;
        this.to = to;
        thread.setDaemon(true);
    }

    /**
     * Begins.
     *
     * @param done what the new store says once all is there
     */
    static BackgroundMove start(MovingStorage storage, StoreMove move, MoveNote done, Storage to) {
        BackgroundMove started = new BackgroundMove(storage, move, done, to);
        started.thread.start();
        return started;
    }

    private void run() {
        try {
            while (!pass()) {
                await(changed ? CHANGED_MS : PAUSE_MS);
            }
        } catch (InterruptedIOException e) {
            return;
        } catch (IOException | RuntimeException e) {
            LOG.warn("no more files are moved to {} before the agent is started again", to, e);
        } finally {
            deleteScratch();
        }
    }

    private void deleteScratch() {
        try {
            Files.deleteIfExists(scratch);
        } catch (IOException e) {
            LOG.warn("{} can't be deleted: {}", scratch, e.toString());
        }
    }

    /**
     * Tries each file once.
     *
     * @return whether nothing is left
     */
    private boolean pass() throws IOException {
        List<StoredFile> files = storage.left();
        MoveProgress progress = new MoveProgress(files, System.nanoTime(), PROGRESS_NS);
        changed = false;
        for (StoredFile file : files) {
            attempt(file.name(), () -> changed |= !storage.move(file.name(), this::read));
            progress.passed(file, System.nanoTime()).ifPresent(LOG::info);
        }
        for (String file : storage.stale()) {
            attempt(file, () -> storage.tidy(file));
        }
        if (!storage.left().isEmpty() || !storage.stale().isEmpty()) {
            return false;
        }
        done.write(to);
        LOG.info(
                "all files of {} are in {} now: leave --moves-from out when the agent is started next",
                done.from(),
                to);
        return true;
    }

    private interface Attempt {
        void make() throws IOException;
    }

    private void attempt(String file, Attempt attempt) throws InterruptedIOException {
        requireOpen();
        try {
            attempt.make();
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            if (told.add(file)) {
                LOG.warn("{} can't be moved to {} yet: {}", file, to, e.toString());
            }
        }
    }

    private void requireOpen() throws InterruptedIOException {
        if (closing.getCount() == 0) {
            throw new InterruptedIOException("closed");
        }
    }

    private void awaitTurn(int bytes) throws InterruptedIOException {
        while (rate.isPresent() && !rate.get().tryAcquire(bytes)) {
            await(TURN_MS);
        }
    }

    private void await(long milliseconds) throws InterruptedIOException {
        try {
            if (closing.await(milliseconds, TimeUnit.MILLISECONDS)) {
                throw new InterruptedIOException("closed");
            }
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted");
        }
    }

    private FileCopier.Copy read(String name, ReadableFile file) throws IOException {
        long bytes = file.size();
        if (bytes <= SMALL_BYTES) {
            awaitTurn((int) Math.max(1, bytes));
            ByteBuffer small = ByteBuffer.allocate((int) bytes);
            file.readFully(small, 0);
            return target -> target.replace(name, small.flip());
        }
        try (FileChannel copy = FileChannel.open(
                scratch, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            for (long at = 0; at < bytes; at += piece.limit()) {
                requireOpen();
                piece.clear().limit((int) Math.min(PIECE_BYTES, bytes - at));
                awaitTurn(piece.limit());
                file.readFully(piece, at);
                piece.flip();
                while (piece.hasRemaining()) {
                    copy.write(piece);
                }
            }
            copy.force(false);
        }
        return target -> target.publish(scratch, name);
    }

    /** Waits until the file that is being moved is given up, or there. */
    @Override
    public void close() throws IOException {
        closing.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while files were being moved");
        }
    }
}
