// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import io.shredder.chunk.Fingerprint;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.Path;

/**
 * A file as it was when a scan was planned.
 *
 * @param path whole, with its file system
 * @param fileId its inode's
 * @param length in bytes
 * @param group of what the report tells apart, from 0
 * @param blocks digest of what blocks it had ({@link io.shredder.chunk.binding.BlockLayout})
 */
public record ScannedFile(Path path, long fileId, long length, int group, Fingerprint blocks) {

    /** Writes it as {@link #read} reads it. */
    public void write(DataOutput out) throws IOException {
        out.writeUTF(path.toString());
        out.writeLong(fileId);
        out.writeLong(length);
        out.writeInt(group);
        byte[] digest = new byte[Fingerprint.BYTES];
        blocks.write(ByteBuffer.wrap(digest));
        out.write(digest);
    }

    public static ScannedFile read(DataInput in) throws IOException {
        Path path = new Path(in.readUTF());
        long fileId = in.readLong();
        long length = in.readLong();
        int group = in.readInt();
        byte[] digest = new byte[Fingerprint.BYTES];
        in.readFully(digest);
        return new ScannedFile(path, fileId, length, group, Fingerprint.read(ByteBuffer.wrap(digest)));
    }
}
