// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.digests;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import io.shredder.chunk.ManifestCodec;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A file as it stands in a listing, and where that ends. */
record ListedEntry(ListedFile file, long end) {

    static ListedEntry read(DataInputStream data, String name, long start, long limit) throws IOException {
        require(Short.BYTES, name, start, limit);
        byte[] path = new byte[data.readUnsignedShort()];
        long at = start + Short.BYTES;
        require(path.length + Fingerprint.BYTES + Integer.BYTES, name, at, limit);
        data.readFully(path);
        byte[] blocks = new byte[Fingerprint.BYTES];
        data.readFully(blocks);
        at += path.length + Fingerprint.BYTES;
        int length = data.readInt();
        if (length < 0 || length > limit - at - Integer.BYTES) {
            throw new DamagedDataException(name, at, "a manifest of " + length + " bytes can't be");
        }
        at += Integer.BYTES;
        byte[] encoded = data.readNBytes(length);
        String text = new String(path, StandardCharsets.UTF_8);
        return new ListedEntry(
                new ListedFile(text, Fingerprint.of(blocks), manifest(encoded, name, at)), at + encoded.length);
    }

    private static Manifest manifest(byte[] encoded, String name, long at) throws DamagedDataException {
        try {
            return ManifestCodec.decode(encoded, name);
        } catch (DamagedDataException e) {
            throw new DamagedDataException(name, at + e.offset(), e.problem());
        }
    }

    static void require(int bytes, String name, long at, long limit) throws DamagedDataException {
        if (bytes > limit - at) {
            throw new DamagedDataException(name, at, "a file's entry runs into the table");
        }
    }
}
