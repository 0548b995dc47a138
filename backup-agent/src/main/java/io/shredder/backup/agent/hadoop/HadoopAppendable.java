// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.hadoop;

import io.shredder.backup.agent.storage.AppendableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that grows. Where the file system has {@code hsync}, forcing it leaves it open; elsewhere, as on an
 * erasure-coded directory, only closing makes it durable and shows it, so forcing ends it. What failed once is over:
 * nobody can tell what arrived.
 */
final class HadoopAppendable implements AppendableFile {

    private static final Logger LOG = LoggerFactory.getLogger(HadoopAppendable.class);
    private static final int COPY_BYTES = 1 << 16;

    private final String name;
    private final FSDataOutputStream out;
    private final Runnable onClose;
    private final boolean syncs;
    private final byte[] copy = new byte[COPY_BYTES];
    private long written;
    private long durable;
    private volatile long visible;
    private boolean closed;
    private boolean sound = true;

    /**
     * Owns the stream.
     *
     * @param onClose called once, when the file is closed
     */
    HadoopAppendable(String name, FSDataOutputStream out, Runnable onClose) {
        this.name = name;
        this.out = out;
        this.onClose = onClose;
        this.syncs = out.hasCapability(StreamCapabilities.HSYNC);
    }

    private interface Step {
        void run() throws IOException;
    }

    private void orFail(Step step) throws IOException {
        if (!sound) {
            throw new IOException(name + " failed before");
        }
        try {
            step.run();
        } catch (ClusterStorageCapacityExceededException e) {
            sound = false;
            throw new FileSystemException(name, null, "No space left on device: " + e.getMessage());
        } catch (IOException e) {
            sound = false;
            throw e;
        }
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
        if (closed) {
            throw new IOException(name + " is closed");
        }
        orFail(() -> {
            while (bytes.hasRemaining()) {
                int length = Math.min(COPY_BYTES, bytes.remaining());
                bytes.get(copy, 0, length);
                out.write(copy, 0, length);
                written += length;
            }
        });
    }

    /** The data nodes have what was written as it comes. */
    @Override
    public void writeBehind() {}

    @Override
    public void force() throws IOException {
        if (!syncs) {
            close();
        } else if (!closed) {
            orFail(out::hsync);
            durable = written;
            visible = written;
        }
    }

    @Override
    public void show() throws IOException {
        if (!syncs) {
            close();
        } else if (!closed) {
            orFail(out::hflush);
            visible = written;
        }
    }

    /** How much of it readers find. */
    long visibleBytes() {
        return visible;
    }

    @Override
    public boolean showsAtOnce() {
        return false;
    }

    @Override
    public boolean canGrow() {
        return !closed && sound;
    }

    @Override
    public boolean isSound() {
        return sound;
    }

    /**
     * Closing makes durable, too. If that fails and everything is durable already, nothing is lost: the file system
     * ends the file in time.
     */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (sound && durable < written) {
                orFail(out::close);
                visible = written;
            } else {
                closeQuietly();
            }
        } finally {
            onClose.run();
        }
    }

    private void closeQuietly() {
        try {
            out.close();
        } catch (IOException e) {
            LOG.warn("{} could not be closed: {}", name, e.getMessage());
        }
    }
}
