// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import io.shredder.hdfs.records.RecordAligner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.EnumSet;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;

/**
 * Writes record-aligned chunks to one HDFS file, ends a block where a segment ends, digests each chunk on the way and
 * collects the manifest. Used by one thread; the stream stays its caller's to close.
 */
final class SegmentedFileWriter implements RecordAligner.Sink {

    private static final int COPY_BYTES = 256 << 10;

    private final String name;
    private final HdfsDataOutputStream out;
    private final BlockPlan plan;
    private final Manifest.Builder manifest;
    private final LongConsumer progress;
    private final MessageDigest digest;
    private final byte[] copy = new byte[COPY_BYTES];

    private int chunkBytes;
    private long blockBytes;
    private long blocks;
    private boolean segmentEnded;

    /**
     * @param name the file, for errors
     * @param progress told the number of bytes written so far, after each piece
     */
    SegmentedFileWriter(
            String name, HdfsDataOutputStream out, BlockPlan plan, Manifest.Builder manifest, LongConsumer progress) {
        this.name = name;
        this.out = out;
        this.plan = plan;
        this.manifest = manifest;
        this.progress = progress;
        this.digest = plan.params().digest().newMessageDigest();
    }

    @Override
    public void data(ByteBuffer piece) throws IOException {
        endBlockIfSegmentEnded();
        if (piece.remaining() > Integer.MAX_VALUE - chunkBytes) {
            throw new PathIOException(
                    name,
                    "the record at offset " + manifest.length()
                            + " or the chunk that it is in is longer than 2 GiB: use -inputFormat raw");
        }
        chunkBytes += piece.remaining();
        while (piece.hasRemaining()) {
            int n = Math.min(piece.remaining(), copy.length);
            piece.get(copy, 0, n);
            digest.update(copy, 0, n);
            countBlocks(n);
            out.write(copy, 0, n);
        }
        progress.accept(manifest.length() + chunkBytes);
    }

    /** HDFS ends a block by itself at the preferred size; every byte after an end starts another. */
    private void countBlocks(long bytes) throws IOException {
        long left = bytes;
        while (left > 0) {
            if (blockBytes == 0 && ++blocks > plan.maxBlocks()) {
                throw plan.tooManyBlocks(name, manifest.length());
            }
            long n = Math.min(left, plan.preferredBytes() - blockBytes);
            blockBytes = (blockBytes + n) % plan.preferredBytes();
            left -= n;
        }
    }

    @Override
    public void endChunk(boolean segmentEnd) {
        manifest.add(new Chunk(manifest.length(), chunkBytes, Fingerprint.of(digest.digest()), segmentEnd));
        chunkBytes = 0;
        segmentEnded = segmentEnd;
    }

    /** Left until more bytes come: closing the file ends its last block for nothing. */
    private void endBlockIfSegmentEnded() throws IOException {
        if (segmentEnded && blockBytes > 0) {
            out.hsync(EnumSet.of(SyncFlag.END_BLOCK));
            blockBytes = 0;
        }
        segmentEnded = false;
    }
}
