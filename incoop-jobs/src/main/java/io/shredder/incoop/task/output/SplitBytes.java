// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.output;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.format.InputHeader;
import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.plan.PlannedSplit;
import io.shredder.incoop.world.DependencyStates;
import java.io.EOFException;
import java.io.IOException;
import java.security.MessageDigest;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/** Whether the bytes that a split's reader has read are those that its part file would be kept under. */
final class SplitBytes {

    private static final int BUFFER_BYTES = 1 << 16;

    private SplitBytes() {}

    /**
     * Reads them once more. The reader is the job's own, and nobody has seen what it read; but the file has not changed
     * since before its chunks were looked up.
     *
     * @throws IOException if they can't be read
     */
    static boolean areAsPromised(PlannedSplit.KnownBytes known, Configuration conf) throws IOException {
        Path path = new Path(known.chunks().get(0).path());
        try (FSDataInputStream in = path.getFileSystem(conf).open(path)) {
            InputHeader header = known.chunks().get(known.chunks().size() - 1).header();
            if (!InputHeader.of(in, header.length()).equals(header)) {
                return false;
            }
            in.seek(known.chunks().get(0).offset());
            byte[] buffer = new byte[BUFFER_BYTES];
            for (InputChunk chunk : known.chunks()) {
                if (!digest(in, chunk.length(), buffer).equals(chunk.content())) {
                    return false;
                }
            }
        } catch (EOFException e) {
            return false;
        }
        return DependencyStates.hdfs(path, conf).equals(known.state());
    }

    private static Fingerprint digest(FSDataInputStream in, int length, byte[] buffer) throws IOException {
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        for (int left = length; left > 0; ) {
            int read = in.read(buffer, 0, Math.min(left, buffer.length));
            if (read < 0) {
                throw new EOFException();
            }
            digest.update(buffer, 0, read);
            left -= read;
        }
        return Fingerprint.of(digest.digest());
    }
}
