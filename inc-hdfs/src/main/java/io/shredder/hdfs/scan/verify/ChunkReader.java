// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import java.io.EOFException;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;

/** Reads chunks of a file and compares their digests with the manifest's. For one thread. */
final class ChunkReader {

    private static final int READ_BYTES = 256 << 10;

    private final FSDataInputStream in;
    private final long fileBytes;
    private final List<Chunk> chunks;
    private final MessageDigest digest;
    private final Runnable progress;
    private final byte[] buffer = new byte[READ_BYTES];
    private long read;
    private long differing;
    private long offset;
    private int length;

    /**
     * Reads nothing yet.
     *
     * @param in stays the caller's to close
     * @param fileBytes how long the file is; chunks that end behind that differ
     * @param progress called now and then
     */
    ChunkReader(FSDataInputStream in, long fileBytes, Manifest manifest, Runnable progress) {
        this.in = in;
        this.fileBytes = fileBytes;
        this.chunks = manifest.chunks();
        this.digest = manifest.params().digest().newMessageDigest();
        this.progress = progress;
    }

    /** Proves the chunks that begin from {@code start} to before {@code end}; once. */
    PartProof prove(long start, long end) throws IOException {
        int first = firstFrom(start);
        int next = first;
        if (first < chunks.size() && chunks.get(first).offset() < fileBytes) {
            in.seek(chunks.get(first).offset());
        }
        for (; next < chunks.size() && chunks.get(next).offset() < end; next++) {
            prove(chunks.get(next));
        }
        long from = first == next ? 0 : chunks.get(first).offset();
        long to = first == next ? 0 : chunks.get(next - 1).end();
        ProofState state = differing == 0 ? ProofState.VERIFIED : ProofState.DAMAGED;
        return new PartProof(state, "", from, to, read, differing, offset, length);
    }

    private int firstFrom(long start) {
        int low = 0;
        int high = chunks.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (chunks.get(middle).offset() < start) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void prove(Chunk chunk) throws IOException {
        read++;
        if (chunk.end() > fileBytes || !digestOf(chunk).equals(chunk.fingerprint())) {
            if (differing == 0) {
                offset = chunk.offset();
                length = chunk.length();
            }
            differing++;
        }
    }

    private Fingerprint digestOf(Chunk chunk) throws IOException {
        int left = chunk.length();
        while (left > 0) {
            int count = in.read(buffer, 0, Math.min(left, buffer.length));
            if (count < 0) {
                throw new EOFException("it ends at " + (chunk.end() - left) + ", inside a chunk: verify it again");
            }
            digest.update(buffer, 0, count);
            left -= count;
            progress.run();
        }
        return Fingerprint.of(digest.digest());
    }
}
