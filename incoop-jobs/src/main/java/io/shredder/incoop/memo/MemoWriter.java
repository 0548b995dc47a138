// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;

/**
 * Writes one memo file, and publishes it whole or not at all: under a name of the attempt's own first, then by a rename
 * in which the first attempt wins. {@link #close} before {@link #publish} leaves nothing behind. One thread.
 */
public final class MemoWriter implements AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 16;

    /** Where it is written, where it will be, and how often each block. */
    record Files(FileSystem fs, Path temporary, Path target, short replication) {}

    /** What all of its entries are made by. */
    record Origin(Fingerprint identity, Fingerprint jvm, MemoKind kind) {}

    private final FileSystem fs;
    private final Path temporary;
    private final Path target;
    private final int segments;
    private final FSDataOutputStream out;
    private final MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
    private final ByteArrayOutputStream index = new ByteArrayOutputStream();
    private int entries;
    private boolean closed;

    /** @param segments how many each entry has */
    MemoWriter(Files files, Origin origin, int segments) throws IOException {
        this.fs = files.fs();
        this.temporary = files.temporary();
        this.target = files.target();
        this.segments = segments;
        this.out = fs.create(temporary, true, BUFFER_BYTES, files.replication(), fs.getDefaultBlockSize(temporary));
        byte[] header = MemoFormat.header(origin.identity(), origin.jvm(), origin.kind(), segments);
        out.write(header);
        digest.update(header);
    }

    /**
     * Adds a leaf.
     *
     * @param key of the chunk
     * @param data its IFiles, one a partition, in order
     */
    public void append(
            Fingerprint key, Reuse reuse, List<byte[]> data, List<CounterValue> counters, List<Dependency> dependencies)
            throws IOException {
        if (data.size() != segments) {
            throw new IllegalArgumentException(data.size() + " segments for " + segments + " partitions");
        }
        List<SegmentRef> refs = new ArrayList<>(segments);
        for (byte[] segment : data) {
            refs.add(new SegmentRef(out.getPos(), segment.length, Fingerprint.ofData(ByteBuffer.wrap(segment))));
            out.write(segment);
        }
        add(new MemoEntry(key, reuse, refs, counters, dependencies));
    }

    /**
     * Adds an entry with one segment, reusable.
     *
     * @param data from which exactly {@code length} bytes are taken; left open
     * @throws IOException if it has fewer, or the file can't be written; nothing more may be added then
     */
    public void append(
            Fingerprint key, InputStream data, int length, List<CounterValue> counters, List<Dependency> dependencies)
            throws IOException {
        long offset = out.getPos();
        MessageDigest segmentDigest = DigestAlgorithm.SHA_256.newMessageDigest();
        IOUtils.copyBytes(data, new DigestOutputStream(out, segmentDigest), (long) length, false);
        if (out.getPos() != offset + length) {
            throw new IOException("a segment of " + length + " bytes gave " + (out.getPos() - offset) + ": not kept");
        }
        SegmentRef ref = new SegmentRef(offset, length, Fingerprint.of(segmentDigest.digest()));
        add(new MemoEntry(key, Reuse.REUSABLE, List.of(ref), counters, dependencies));
    }

    private void add(MemoEntry entry) {
        index.writeBytes(MemoFormat.entry(entry));
        entries++;
    }

    /** How many entries it has. */
    public int entries() {
        return entries;
    }

    /**
     * Ends the file and gives it its name. If another attempt has published the same file before, that one stays: both
     * hold the same results.
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
