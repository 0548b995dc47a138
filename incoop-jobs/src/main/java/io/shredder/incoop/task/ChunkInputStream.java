// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.plan.InputChunk;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * Exactly a chunk's bytes, as if they were a file, digested on the way. Borrows the file's stream, from which nobody else may
 * read meanwhile; closing it does nothing.
 */
final class ChunkInputStream extends InputStream {

    private final FSDataInputStream file;
    private final InputChunk chunk;
    private final MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
    private int left;

    ChunkInputStream(FSDataInputStream file, InputChunk chunk) throws IOException {
        this.file = file;
        this.chunk = chunk;
        this.left = chunk.length();
        file.seek(chunk.offset());
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (left == 0) {
            return -1;
        }
        int read = file.read(buffer, offset, Math.min(length, left));
        if (read < 0) {
            throw new EOFException(chunk.path() + " ends " + left + " bytes before the end of its chunk at "
                    + chunk.offset() + ": it has shrunk since the job was submitted");
        }
        digest.update(buffer, offset, read);
        left -= read;
        return read;
    }

    /** Reads what nobody has asked for; says whether all bytes together are those that the manifest promised. */
    boolean isAsPromised() throws IOException {
        transferTo(OutputStream.nullOutputStream());
        return Fingerprint.of(digest.digest()).equals(chunk.fingerprint());
    }
}
