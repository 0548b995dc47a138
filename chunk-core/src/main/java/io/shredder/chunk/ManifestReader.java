// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/** Reads one manifest front to back, holding never more than the chunks that were really there. */
final class ManifestReader {

    private final DataInputStream in;
    private final String name;
    private final MessageDigest sha256 = DigestAlgorithm.SHA_256.newMessageDigest();
    private long offset;

    ManifestReader(DataInputStream in, String name) {
        this.in = in;
        this.name = name;
    }

    Manifest read() throws IOException {
        ByteBuffer header = next(ManifestCodec.HEADER_BYTES, "header");
        checkMagicAndVersion(header);
        int recordFormatBytes = Short.toUnsignedInt(header.getShort(10));
        if (recordFormatBytes > ManifestCodec.MAX_RECORD_FORMAT_BYTES) {
            throw damaged(10, "record format of " + recordFormatBytes + " bytes");
        }
        ChunkingParams params = ChunkingParams.read(header.slice(16, ChunkingParams.ENCODED_BYTES), name, 16);
        Manifest.Builder builder = Manifest.builder(params)
                .fileId(header.getLong(ManifestCodec.FILE_ID_AT))
                .recordFormat(recordFormat(next(recordFormatBytes, "record format")));
        readChunks(builder, header.getLong(88));
        if (builder.length() != header.getLong(72)) {
            throw damaged(72, "length " + header.getLong(72) + ", but the chunks have " + builder.length());
        }
        checkDigestAndEnd();
        return builder.build();
    }

    private void checkMagicAndVersion(ByteBuffer header) throws DamagedDataException {
        if (!header.slice(0, ManifestCodec.MAGIC.length).equals(ByteBuffer.wrap(ManifestCodec.MAGIC))) {
            throw damaged(0, "not a Shredder manifest");
        }
        if (header.getShort(8) != ManifestCodec.VERSION) {
            throw damaged(
                    8,
                    "manifest version " + Short.toUnsignedInt(header.getShort(8)) + ": this reader knows "
                            + ManifestCodec.VERSION);
        }
        if (header.getInt(12) != 0) {
            throw damaged(12, "reserved bytes are not zero");
        }
    }

    private String recordFormat(ByteBuffer utf8) throws DamagedDataException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
        } catch (CharacterCodingException e) {
            throw damaged(ManifestCodec.HEADER_BYTES, "the record format is not UTF-8");
        }
    }

    private void readChunks(Manifest.Builder builder, long count) throws IOException {
        if (count < 0) {
            throw damaged(88, "negative number of chunks");
        }
        for (long i = 0; i < count; i++) {
            long entryOffset = offset;
            ByteBuffer entry = next(ManifestCodec.CHUNK_BYTES, "chunk " + i + " of " + count);
            int lengthAndFlag = entry.getInt();
            int length = lengthAndFlag & ~ManifestCodec.SEGMENT_END;
            if (length == 0 || builder.length() > Long.MAX_VALUE - length) {
                throw damaged(entryOffset, "chunk " + i + " has length " + length);
            }
            builder.add(new Chunk(builder.length(), length, Fingerprint.read(entry), lengthAndFlag < 0));
        }
    }

    private void checkDigestAndEnd() throws IOException {
        byte[] expected = sha256.digest();
        long digestOffset = offset;
        if (!Arrays.equals(expected, next(Fingerprint.BYTES, "digest").array())) {
            throw damaged(digestOffset, "the SHA-256 does not match");
        }
        if (in.read() >= 0) {
            throw damaged(offset, "bytes after the end");
        }
    }

    private ByteBuffer next(int length, String what) throws IOException {
        byte[] bytes = in.readNBytes(length);
        offset += bytes.length;
        if (bytes.length < length) {
            throw damaged(offset, "truncated in the " + what);
        }
        sha256.update(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private DamagedDataException damaged(long at, String problem) {
        return new DamagedDataException(name, at, problem);
    }
}
