// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.shell.PathData;

/** Reads a file in HDFS, whose checksums the HDFS client proves on the way, and compares its chunks' digests. */
final class ChunkProof {

    private static final int READ_BYTES = 256 << 10;

    private ChunkProof() {}

    /**
     * Returns if every chunk of {@code file} has the digest that {@code manifest} says, and nothing follows.
     *
     * @throws PathIOException naming the first chunk that has not, or where the file ends early or goes on
     */
    static void prove(PathData file, Manifest manifest) throws IOException {
        MessageDigest digest = manifest.params().digest().newMessageDigest();
        byte[] buffer = new byte[READ_BYTES];
        try (InputStream in = file.fs.open(file.path)) {
            for (Chunk chunk : manifest.chunks()) {
                Fingerprint found = digest(in, chunk, digest, buffer, file);
                if (!found.equals(chunk.fingerprint())) {
                    throw new PathIOException(
                            file.toString(),
                            "the chunk at " + chunk.offset() + " of " + chunk.length() + " bytes has digest " + found
                                    + ", its manifest says " + chunk.fingerprint() + ": upload it again");
                }
            }
            if (in.read() >= 0) {
                throw new PathIOException(file.toString(), "goes on behind its last chunk: upload it again");
            }
        }
    }

    private static Fingerprint digest(InputStream in, Chunk chunk, MessageDigest digest, byte[] buffer, PathData file)
            throws IOException {
        int left = chunk.length();
        while (left > 0) {
            int n = in.read(buffer, 0, Math.min(left, buffer.length));
            if (n < 0) {
                throw new EOFException("`" + file + "' ends at " + (chunk.end() - left) + ", inside a chunk");
            }
            digest.update(buffer, 0, n);
            left -= n;
        }
        return Fingerprint.of(digest.digest());
    }
}
