// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;

/**
 * Writes one memo file, and publishes it whole or not at all: under a name of the attempt's own first, then by a rename
 * in which the first attempt wins. {@link #close} before {@link #publish} leaves nothing behind. One thread.
 */
public final class MemoWriter implements AutoCloseable {

    private final FileSystem fs;
    private final Path temporary;
    private final Path target;
    private final int partitions;
    private final FSDataOutputStream out;
    private final MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
    private final ByteArrayOutputStream index = new ByteArrayOutputStream();
    private int entries;
    private boolean closed;

    MemoWriter(FileSystem fs, Path temporary, Path target, Fingerprint identity, int partitions) throws IOException {
        this.fs = fs;
        this.temporary = temporary;
        this.target = target;
        this.partitions = partitions;
        this.out = fs.create(temporary, true);
        byte[] header = MemoFormat.header(identity, partitions);
        out.write(header);
        digest.update(header);
    }

    /**
     * Adds a chunk's output.
     *
     * @param segments its IFiles, one a partition, in order
     */
    public void append(Fingerprint fingerprint, Reuse reuse, List<byte[]> segments, List<CounterValue> counters)
            throws IOException {
        if (segments.size() != partitions) {
            throw new IllegalArgumentException(segments.size() + " segments for " + partitions + " partitions");
        }
        List<SegmentRef> refs = new ArrayList<>(partitions);
        for (byte[] segment : segments) {
            refs.add(new SegmentRef(out.getPos(), segment.length, Fingerprint.ofData(ByteBuffer.wrap(segment))));
            out.write(segment);
        }
        index.writeBytes(MemoFormat.entry(new MemoEntry(fingerprint, reuse, refs, counters)));
        entries++;
    }

    /**
     * Ends the file and gives it its name. If another attempt has published the same file before, that one stays: both hold
     * the output of the same chunks.
     */
    public void publish() throws IOException {
        byte[] indexBytes = index.toByteArray();
        byte[] trailer = MemoFormat.trailerHead(out.getPos(), indexBytes.length, entries);
        digest.update(indexBytes);
        digest.update(trailer);
        out.write(indexBytes);
        out.write(trailer);
        out.write(digest.digest());
        out.writeLong(MemoFormat.TRAILER_MAGIC);
        long length = out.getPos();
        if (out.hasCapability(StreamCapabilities.HSYNC)) {
            out.hsync();
        }
        out.close();
        long written = fs.getFileStatus(temporary).getLen();
        if (written != length) {
            throw new IOException(temporary + " has " + written + " bytes of " + length + " written: not published");
        }
        if (!fs.rename(temporary, target) && !fs.exists(target)) {
            throw new IOException("can't rename " + temporary + " to " + target + ": not published");
        }
    }

    /** Ends the writer's life; what was not published goes. */
    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            try {
                out.close();
            } finally {
                fs.delete(temporary, false);
            }
        }
    }
}
