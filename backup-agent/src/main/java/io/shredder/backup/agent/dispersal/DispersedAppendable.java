// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.storage.AppendableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;

/**
 * A file that grows at all keepers. What does not fill a group waits in memory, where readers find it, until the file
 * is forced or closed; then it becomes a short group. What failed once is over: nobody can tell what arrived where.
 * Readers wait for no keeper that is written to.
 */
final class DispersedAppendable implements AppendableFile {

    private final GroupWriter writer;
    private final Runnable onClose;

    /** Changed, as the groups are, only by whoever has this object's monitor, and its own one. */
    private final ByteBuffer waiting;

    private boolean closed;
    private boolean sound = true;

    /** Owns the writer. */
    DispersedAppendable(GroupWriter writer, int data, Runnable onClose) {
        this.writer = writer;
        this.onClose = onClose;
        this.waiting = ByteBuffer.allocate(data * GroupFrame.CELL_BYTES);
    }

    private interface Step {
        void run() throws IOException;
    }

    private void orFail(Step step) throws IOException {
        if (closed) {
            throw new IOException("the file is closed");
        }
        if (!sound) {
            throw new IOException("the file failed before");
        }
        try {
            step.run();
        } catch (IOException e) {
            sound = false;
            throw e;
        }
    }

    @Override
    public synchronized void append(ByteBuffer bytes) throws IOException {
        orFail(() -> {
            while (bytes.hasRemaining()) {
                int part = Math.min(bytes.remaining(), waiting.remaining());
                synchronized (waiting) {
                    waiting.put(bytes.slice(bytes.position(), part));
                }
                bytes.position(bytes.position() + part);
                if (!waiting.hasRemaining()) {
                    writeGroup();
                }
            }
        });
    }

    private void writeGroup() throws IOException {
        if (waiting.position() > 0) {
            Groups.Group group = writer.send(waiting.duplicate().flip());
            synchronized (waiting) {
                writer.count(group);
                waiting.clear();
            }
        }
    }

    @Override
    public synchronized void writeBehind() throws IOException {
        orFail(writer::writeBehind);
    }

    @Override
    public synchronized void force() throws IOException {
        orFail(() -> {
            writeGroup();
            writer.force();
        });
    }

    /** Readers look into memory, too, for what waits there. */
    @Override
    public synchronized void show() throws IOException {
        if (!writer.showsAtOnce()) {
            orFail(writer::show);
        }
    }

    @Override
    public boolean showsAtOnce() {
        return writer.showsAtOnce();
    }

    @Override
    public synchronized boolean canGrow() {
        return !closed && sound;
    }

    @Override
    public synchronized boolean isSound() {
        return sound;
    }

    /** Length of all that was appended. */
    long bytes() {
        synchronized (waiting) {
            return writer.groups().bytes() + waiting.position();
        }
    }

    Collection<Keeper> holders() {
        return writer.holders();
    }

    Groups groups() {
        return writer.groups();
    }

    /**
     * Takes bytes that still wait.
     *
     * @return how many; 0 if a group has the one at the position, or nothing has
     */
    int readWaiting(ByteBuffer target, long position) {
        synchronized (waiting) {
            long within = position - writer.groups().bytes();
            if (within < 0 || within >= waiting.position()) {
                return 0;
            }
            int count = (int) Math.min(target.remaining(), waiting.position() - within);
            target.put(waiting.duplicate().slice((int) within, count));
            return count;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        try {
            if (sound) {
                orFail(this::writeGroup);
            }
        } finally {
            closed = true;
            writer.close();
            onClose.run();
        }
    }
}
