// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.memo.MemoReader;
import io.shredder.incoop.memo.SegmentRef;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.util.Progressable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file on the local disk that segments are laid into, one behind the other; it goes when closed. One thread. */
public final class Staging implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Staging.class);
    private static final int BUFFER_BYTES = 1 << 16;

    /**
     * A segment in a staging file.
     *
     * @param reusable whether it follows from bytes and identity alone, so that what is made of it may be kept
     */
    public record Staged(Path file, long offset, long length, boolean reusable) {

        public Staged notReusable() {
            return new Staged(file, offset, length, false);
        }
    }

    /** Writes a segment. */
    public interface Content {
        void writeTo(FSDataOutputStream out) throws IOException, InterruptedException;
    }

    private final FileSystem local;
    private final Path file;
    private final FSDataOutputStream out;
    private final Progressable alive;

    /**
     * @param file on the local disk, created
     * @param alive told of each piece that is copied
     */
    public Staging(JobConf conf, Path file, Progressable alive) throws IOException {
        this.alive = alive;
        this.local = localFs(conf);
        this.file = file;
        this.out = local.create(file, true, BUFFER_BYTES);
    }

    public static FileSystem localFs(JobConf conf) throws IOException {
        return FileSystem.getLocal(conf).getRaw();
    }

    /** Lays a segment here from the memo store; what a damaged one has left is never read. */
    public Staged copy(MemoReader memo, SegmentRef segment, boolean reusable) throws IOException, InterruptedException {
        return write(to -> memo.copy(segment, new LiveStream(to, alive)), reusable);
    }

    /** Lays a segment here from another staging file. */
    public Staged copy(Staged segment) throws IOException, InterruptedException {
        return write(
                to -> {
                    try (FSDataInputStream in = open(segment)) {
                        IOUtils.copyBytes(in, new LiveStream(to, alive), segment.length(), false);
                    }
                },
                segment.reusable());
    }

    /** Lays a new segment here, to be read at once. */
    public Staged write(Content content, boolean reusable) throws IOException, InterruptedException {
        long offset = out.getPos();
        content.writeTo(out);
        out.flush();
        return new Staged(file, offset, out.getPos() - offset, reusable);
    }

    /** A stream that stands at a segment's first byte; the caller reads no more than its length, and closes it. */
    public FSDataInputStream open(Staged segment) throws IOException {
        FSDataInputStream in = local.open(segment.file(), BUFFER_BYTES);
        in.seek(segment.offset());
        return in;
    }

    @Override
    public void close() {
        try {
            out.close();
            local.delete(file, false);
        } catch (IOException e) {
            LOG.warn("incoop: {} is left behind: {}", file, e.getMessage());
        }
    }
}
