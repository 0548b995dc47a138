// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.storage.AppendableFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file that grows on this machine's disk and is an object once it was forced. Each force puts all of it; while it is
 * small it grows on after that, so that small commits share an object, else it is closed. Where putting failed, nothing
 * is lost: it can be tried again. Readers in this process find everything at once.
 */
final class S3Appendable implements AppendableFile {

    /** A longer object isn't put again only to grow. */
    static final int GROW_BYTES = 1 << 20;

    /** Puts the file's first bytes. */
    interface Putting {
        /**
         * Puts them, and returns what is there now.
         *
         * @param before what was put of it, if anything was
         */
        StoredObject put(PutContent content, Optional<StoredObject> before) throws IOException;
    }

    private final String name;
    private final SpoolFolder spools;
    private final Path spool;
    private final FileChannel channel;
    private final Putting putting;
    private final Runnable onEnd;
    private final Executor side;

    /** Of all that was appended, made while it is near. */
    private final CRC32C crc = new CRC32C();

    private @Nullable CompletableFuture<Put> begun;
    private @Nullable StoredObject object;
    private long putBytes;
    private volatile long end;
    private volatile boolean ended;

    /**
     * Makes the file on this machine's disk.
     *
     * @param spools where it has a place
     * @param side puts what others are put beside
     * @param onEnd called once, when it is closed for good
     */
    S3Appendable(String name, SpoolFolder spools, Putting putting, Executor side, Runnable onEnd) throws IOException {
        this.name = name;
        this.spools = spools;
        this.spool = spools.take();
        this.putting = putting;
        this.side = side;
        this.onEnd = onEnd;
        try {
            this.channel = FileChannel.open(
                    spool, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        } catch (IOException e) {
            spools.discard(spool);
            throw e;
        }
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
        append(bytes, ByteBuffer.allocate(0));
    }

    @Override
    public void append(ByteBuffer first, ByteBuffer second) throws IOException {
        if (ended) {
            throw new IOException(name + " is closed");
        }
        ByteBuffer firstSummed = first.duplicate();
        ByteBuffer secondSummed = second.duplicate();
        long secondAt = end + first.remaining();
        long newEnd = secondAt + second.remaining();
        DurableFiles.writeFully(channel, first, end); // What is behind the end doesn't count.
        DurableFiles.writeFully(channel, second, secondAt);
        crc.update(firstSummed);
        crc.update(secondSummed);
        end = newEnd;
    }

    @Override
    public void writeBehind() {}

    @Override
    public void force() throws IOException {
        put();
        if (end >= GROW_BYTES) {
            end();
        }
    }

    /** What was put, and how much of the file that is. */
    private record Put(StoredObject object, long bytes) {}

    @Override
    public void beginForce() {
        if (begun == null && isDirty()) {
            PutContent content = content();
            Optional<StoredObject> before = Optional.ofNullable(object);
            begun = CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return put(content, before);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    },
                    side);
        }
    }

    private boolean isDirty() {
        return !ended && (object == null || putBytes != end);
    }

    private PutContent content() {
        return PutContent.of(spool, end, crc);
    }

    private Put put(PutContent content, Optional<StoredObject> before) throws IOException {
        return new Put(putting.put(content, before), content.bytes());
    }

    private void put() throws IOException {
        if (begun != null) {
            note(awaitBegun(begun));
        }
        if (isDirty()) {
            note(put(content(), Optional.ofNullable(object)));
        }
    }

    private void note(Put put) {
        object = put.object();
        putBytes = put.bytes();
    }

    private Put awaitBegun(CompletableFuture<Put> running) throws IOException {
        try {
            Put put = running.get();
            begun = null;
            return put;
        } catch (ExecutionException e) {
            begun = null;
            throw e.getCause() instanceof UncheckedIOException unchecked
                    ? unchecked.getCause()
                    : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + name + " was put into the object store", e);
        }
    }

    private void end() throws IOException {
        if (!ended) {
            ended = true;
            onEnd.run();
            channel.close(); // Nobody reads it any more.
            if (begun == null) {
                spools.giveBack(spool);
            } else {
                spools.discard(spool); // It may still be on its way.
            }
        }
    }

    @Override
    public void show() {}

    @Override
    public boolean showsAtOnce() {
        return true;
    }

    @Override
    public boolean canGrow() {
        return !ended;
    }

    @Override
    public boolean isSound() {
        return true;
    }

    @Override
    public boolean beganDurably() {
        return false;
    }

    /** How much was appended. */
    long bytes() {
        return end;
    }

    /** Reads from this machine's disk; false if it is an object by now and closed here. Any thread. */
    boolean read(ByteBuffer target, long position) throws IOException {
        int from = target.position();
        try {
            if (!ended) {
                if (position + target.remaining() > end) {
                    throw new EOFException(name + " ends at " + end);
                }
                DurableFiles.readFully(channel, target, position);
                return true;
            }
        } catch (ClosedChannelException e) {
            if (!ended) {
                throw e;
            }
        }
        target.position(from);
        return false;
    }

    /** Ends it without putting what was not put yet. */
    void discard() throws IOException {
        end();
    }

    /** What was not put yet is put now. */
    @Override
    public void close() throws IOException {
        try {
            put();
        } finally {
            end();
        }
    }
}
