// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.digests;

import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import io.shredder.chunk.ManifestCodec;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What a listing says of a file.
 *
 * @param path from the root of its file system, without that one's name
 * @param blocks digest of what blocks the file had ({@link io.shredder.chunk.binding.BlockLayout})
 * @param manifest its chunks and its file id
 */
public record ListedFile(String path, Fingerprint blocks, Manifest manifest) {

    /** Writes the entry of the format. */
    void write(DataOutput out) throws IOException {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        if (name.length > ListingFormat.MOST_PATH_BYTES) {
            throw new IOException(path + " has a path of " + name.length + " bytes: a listing holds "
                    + ListingFormat.MOST_PATH_BYTES + " at most");
        }
        byte[] encoded = ManifestCodec.encode(manifest);
        out.writeShort(name.length);
        out.write(name);
        out.write(blocks.toBytes());
        out.writeInt(encoded.length);
        out.write(encoded);
    }
}
