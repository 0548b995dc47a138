// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.home;

import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/** Another storage, which may hang: whoever asks waits no longer than {@link Patience} does. */
public final class PatientStorage implements Storage {

    /** How many times as long as other questions these may take: they take longer the more files there are. */
    public static final int LONG = 5;

    private final Storage storage;
    private final Patience patience;

    /** Owns the storage. */
    public PatientStorage(Storage storage, Patience patience) {
        this.storage = storage;
        this.patience = patience;
    }

    /** A step without a result. */
    private interface Step {
        void run() throws IOException;
    }

    private static Patience.Asking<Boolean> step(Step step) {
        return () -> {
            step.run();
            return true;
        };
    }

    private static ByteBuffer copyOf(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
    }

    @Override
    public List<StoredFile> list(String folder) throws IOException {
        return patience.ask(LONG, () -> storage.list(folder));
    }

    @Override
    public ReadableFile open(String file) throws IOException {
        return new Reader(patience.ask(() -> storage.open(file)), patience);
    }

    @Override
    public AppendableFile create(String file, ByteBuffer head) throws IOException {
        ByteBuffer copy = copyOf(head);
        AppendableFile created = patience.ask(() -> storage.create(file, copy));
        head.position(head.limit());
        return new Writer(created, patience);
    }

    @Override
    public Optional<AppendableFile> resume(String file, long bytes) throws IOException {
        return patience.ask(() -> storage.resume(file, bytes)).map(resumed -> new Writer(resumed, patience));
    }

    @Override
    public boolean resumes() {
        return storage.resumes();
    }

    @Override
    public void endWriting(String file) throws IOException {
        patience.ask(LONG, step(() -> storage.endWriting(file)));
    }

    @Override
    public void force(String file) throws IOException {
        patience.ask(LONG, step(() -> storage.force(file)));
    }

    @Override
    public void cut(String file, long bytes) throws IOException {
        patience.ask(LONG, step(() -> storage.cut(file, bytes)));
    }

    @Override
    public void delete(String file) throws IOException {
        patience.ask(step(() -> storage.delete(file)));
    }

    @Override
    public void publish(Path whole, String file) throws IOException {
        patience.ask(LONG, step(() -> storage.publish(whole, file)));
    }

    @Override
    public void replace(String file, ByteBuffer bytes) throws IOException {
        ByteBuffer copy = copyOf(bytes);
        patience.ask(step(() -> storage.replace(file, copy)));
        bytes.position(bytes.limit());
    }

    @Override
    public Optional<ByteBuffer> read(String file) throws IOException {
        return patience.ask(() -> storage.read(file));
    }

    @Override
    public long size(String file) throws IOException {
        return patience.ask(() -> storage.size(file));
    }

    @Override
    public Instant lastModified(String file) throws IOException {
        return patience.ask(() -> storage.lastModified(file));
    }

    @Override
    public long usableBytes() throws IOException {
        return patience.ask(storage::usableBytes);
    }

    @Override
    public String toString() {
        return storage.toString();
    }

    @Override
    public void close() throws IOException {
        patience.let(step(storage::close));
    }

    /** Reads into memory of its own: an answer that comes too late is nobody's. */
    private static final class Reader implements ReadableFile {

        private final ReadableFile file;
        private final Patience patience;
        private volatile boolean closed;

        Reader(ReadableFile file, Patience patience) {
            this.file = file;
            this.patience = patience;
        }

        @Override
        public long size() throws IOException {
            return patience.ask(file::size);
        }

        @Override
        public void readFully(ByteBuffer target, long position) throws IOException {
            if (closed) {
                throw new ClosedChannelException();
            }
            ByteBuffer own = ByteBuffer.allocate(target.remaining());
            boolean answered = true;
            try {
                patience.ask(step(() -> file.readFully(own, position)));
            } catch (EOFException | io.shredder.chunk.DamagedDataException e) {
                throw e; // What is before was read.
            } catch (IOException e) {
                answered = false;
                throw e;
            } finally {
                if (answered) {
                    target.put(own.flip());
                }
            }
        }

        @Override
        public ByteBuffer read(long position, int length, IntFunction<ByteBuffer> memory) throws IOException {
            if (closed) {
                throw new ClosedChannelException();
            }
            return patience.ask(() -> file.read(position, length, memory));
        }

        @Override
        public Optional<CompletableFuture<ByteBuffer>> ask(long position, int length) throws IOException {
            if (closed) {
                throw new ClosedChannelException();
            }
            return patience.askBeside(() -> file.ask(position, length));
        }

        @Override
        public void close() throws IOException {
            closed = true;
            patience.let(step(file::close));
        }
    }

    /** Asks nothing more once an answer didn't come: the question before may still be under way. */
    private static final class Writer implements AppendableFile {

        private final AppendableFile file;
        private final Patience patience;
        private final boolean showsAtOnce;
        private volatile boolean canGrow = true;
        private volatile boolean sound = true;
        private boolean closed;

        Writer(AppendableFile file, Patience patience) {
            this.file = file;
            this.patience = patience;
            this.showsAtOnce = file.showsAtOnce();
        }

        private void ask(Step asked) throws IOException {
            if (!sound) {
                throw new IOException("the file failed before");
            }
            sound = false;
            canGrow = false;
            boolean[] is = patience.ask(() -> {
                asked.run();
                return new boolean[] {file.isSound(), file.canGrow()};
            });
            sound = is[0];
            canGrow = is[1];
        }

        @Override
        public void append(ByteBuffer bytes) throws IOException {
            ByteBuffer copy = copyOf(bytes);
            ask(() -> file.append(copy));
            bytes.position(bytes.limit());
        }

        @Override
        public void writeBehind() throws IOException {
            ask(file::writeBehind);
        }

        @Override
        public void force() throws IOException {
            ask(file::force);
        }

        @Override
        public void show() throws IOException {
            ask(file::show);
        }

        @Override
        public boolean showsAtOnce() {
            return showsAtOnce;
        }

        @Override
        public boolean canGrow() {
            return canGrow;
        }

        @Override
        public boolean isSound() {
            return sound;
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                canGrow = false;
                patience.let(step(file::close));
            }
        }
    }
}
