// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import io.shredder.chunk.Fingerprint;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * The start of a file, without which its chunks can't be read.
 *
 * @param length in bytes, 0 for none
 * @param digest SHA-256 of these bytes
 */
public record InputHeader(int length, Fingerprint digest) {

    /** For chunks that need nothing in front of them. */
    public static final InputHeader NONE = new InputHeader(0, Fingerprint.ofData(ByteBuffer.allocate(0)));

    /** The first {@code length} bytes of a file. */
    public static InputHeader of(FSDataInputStream file, int length) throws IOException {
        return length == 0 ? NONE : new InputHeader(length, Fingerprint.ofData(ByteBuffer.wrap(bytes(file, length))));
    }

    /**
     * The header itself.
     *
     * @param name of the file, for errors
     * @throws IOException if the file has another header by now
     */
    byte[] read(FSDataInputStream file, String name) throws IOException {
        byte[] bytes = bytes(file, length);
        if (!Fingerprint.ofData(ByteBuffer.wrap(bytes)).equals(digest)) {
            throw new IOException(name + " has another header than when the job was submitted: run the job again");
        }
        return bytes;
    }

    private static byte[] bytes(FSDataInputStream file, int length) throws IOException {
        byte[] bytes = new byte[length];
        file.seek(0);
        file.readFully(bytes);
        return bytes;
    }

    /** Writes it for {@link #read(DataInput)}. */
    public void write(DataOutput out) throws IOException {
        out.writeInt(length);
        out.write(digest.toBytes());
    }

    /** Reads what {@link #write} wrote. */
    public static InputHeader read(DataInput in) throws IOException {
        int length = in.readInt();
        byte[] digest = new byte[Fingerprint.BYTES];
        in.readFully(digest);
        return new InputHeader(length, Fingerprint.of(digest));
    }
}
