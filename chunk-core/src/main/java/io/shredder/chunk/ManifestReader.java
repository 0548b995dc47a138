// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;

/** Reads one manifest front to back, holding never more than the chunks that were really there. */
final class ManifestReader {

    private final InputStream in;
    private final String name;
    private final MessageDigest sha256 = DigestAlgorithm.SHA_256.newMessageDigest();
    private long offset;

    ManifestReader(InputStream in, String name) {
        this.in = in;
        this.name = name;
    }

    Manifest read() throws IOException {
        FieldReader header = next(ManifestCodec.HEADER_BYTES, "header");
        checkMagicAndVersion(header);
        int recordFormatBytes = header.u16("record format's length");
        if (recordFormatBytes > ManifestCodec.MAX_RECORD_FORMAT_BYTES) {
            throw header.damagedBefore(2, "record format of " + recordFormatBytes + " bytes");
        }
        if (header.i32("reserved bytes") != 0) {
            throw header.damagedBefore(4, "reserved bytes are not zero");
        }
        Manifest.Builder builder = Manifest.builder(header.params());
        long lengthAt = header.offset();
        long length = header.i64("length");
        builder.fileId(header.i64("file id"));
        long count = header.i64("number of chunks");
        if (count < 0 || count > length) {
            throw header.damagedBefore(8, count + " chunks in " + length + " bytes");
        }
        builder.recordFormat(next(recordFormatBytes, "record format").utf8("the record format", recordFormatBytes));
        readChunks(builder, count);
        if (builder.length() != length) {
            throw header.damagedAt(lengthAt, "length " + length + ", but the chunks have " + builder.length());
        }
        checkDigestAndEnd();
        return builder.build();
    }

    private static void checkMagicAndVersion(FieldReader header) throws DamagedDataException {
        if (!Arrays.equals(header.take("magic", ManifestCodec.MAGIC.length), ManifestCodec.MAGIC)) {
            throw header.damagedAt(0, "not a Shredder manifest");
        }
        int version = header.u16("version");
        if (version != ManifestCodec.VERSION) {
            throw header.damagedBefore(
                    2, "manifest version " + version + ": this reader knows " + ManifestCodec.VERSION);
        }
    }

    private void readChunks(Manifest.Builder builder, long count) throws IOException {
        for (long i = 0; i < count; i++) {
            FieldReader entry = next(ManifestCodec.CHUNK_BYTES, "chunk " + i + " of " + count);
            int lengthAndFlag = entry.i32("length");
            int length = lengthAndFlag & ~ManifestCodec.SEGMENT_END;
            if (length == 0 || builder.length() > Long.MAX_VALUE - length) {
                throw entry.damagedBefore(4, "chunk " + i + " has length " + length);
            }
            builder.add(new Chunk(builder.length(), length, entry.fingerprint("fingerprint"), lengthAndFlag < 0));
        }
    }

    private void checkDigestAndEnd() throws IOException {
        Fingerprint expected = Fingerprint.of(sha256.digest());
        FieldReader digest = next(Fingerprint.BYTES, "digest");
        if (!digest.fingerprint("digest").equals(expected)) {
            throw digest.damagedBefore(Fingerprint.BYTES, "the SHA-256 does not match");
        }
        if (in.read() >= 0) {
            throw digest.damaged("bytes after the end");
        }
    }

    private FieldReader next(int length, String what) throws IOException {
        byte[] bytes = in.readNBytes(length);
        long start = offset;
        offset += bytes.length;
        if (bytes.length < length) {
            throw new DamagedDataException(name, offset, "truncated in the " + what);
        }
        sha256.update(bytes);
        return new FieldReader(ByteBuffer.wrap(bytes), name, start);
    }
}
