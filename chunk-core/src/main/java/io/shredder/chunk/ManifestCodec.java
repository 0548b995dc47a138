// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.OptionalLong;

/** Writes and reads manifests: {@code docs/formats/manifest.md}, version 1. */
public final class ManifestCodec {

    /** What precedes the record format and the chunks, and says how much that is. */
    public static final int HEADER_BYTES = 96;

    static final byte[] MAGIC = "SHRDMANI".getBytes(StandardCharsets.US_ASCII);
    static final int VERSION = 1;
    static final int RECORD_FORMAT_BYTES_AT = 10;
    static final int LENGTH_AT = 72;
    static final int FILE_ID_AT = 80;
    static final int COUNT_AT = 88;
    static final int CHUNK_BYTES = 4 + Fingerprint.BYTES;
    static final int MAX_RECORD_FORMAT_BYTES = 1024;
    static final int SEGMENT_END = 0x8000_0000;

    /** More make no array. */
    private static final int MAX_CHUNKS = (Integer.MAX_VALUE - 4 * MAX_RECORD_FORMAT_BYTES) / CHUNK_BYTES;

    private ManifestCodec() {}

    /** The manifest's bytes. */
    public static byte[] encode(Manifest manifest) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            write(manifest, bytes);
        } catch (IOException e) {
            throw new IllegalStateException("a byte array can't fail", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Writes {@code manifest} to {@code out} and flushes it; does not close it.
     *
     * @throws IllegalArgumentException if the record format is too long to store
     */
    public static void write(Manifest manifest, OutputStream out) throws IOException {
        byte[] recordFormat = manifest.recordFormat().getBytes(StandardCharsets.UTF_8);
        if (recordFormat.length > MAX_RECORD_FORMAT_BYTES) {
            throw new IllegalArgumentException("record format of " + recordFormat.length + " bytes: at most "
                    + MAX_RECORD_FORMAT_BYTES + " can be stored");
        }
        MessageDigest sha256 = DigestAlgorithm.SHA_256.newMessageDigest();
        OutputStream digested = new DigestOutputStream(new BufferedOutputStream(out), sha256);
        digested.write(header(manifest, recordFormat.length).array());
        digested.write(recordFormat);
        for (Chunk chunk : manifest.chunks()) {
            digested.write(entry(chunk));
        }
        digested.flush();
        out.write(sha256.digest());
        out.flush();
    }

    private static ByteBuffer header(Manifest manifest, int recordFormatBytes) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES)
                .put(MAGIC)
                .putShort((short) VERSION)
                .putShort((short) recordFormatBytes)
                .putInt(0);
        manifest.params().write(header);
        return header.putLong(manifest.length())
                .putLong(manifest.fileId())
                .putLong(manifest.chunks().size());
    }

    private static byte[] entry(Chunk chunk) {
        ByteBuffer entry = ByteBuffer.allocate(CHUNK_BYTES);
        entry.putInt(chunk.segmentEnd() ? chunk.length() | SEGMENT_END : chunk.length());
        chunk.fingerprint().write(entry);
        return entry.array();
    }

    /**
     * Reads a manifest that takes all of {@code in}; does not close it.
     *
     * @param name what {@code in} reads, for errors
     * @throws DamagedDataException if the bytes break the format, with the offset of the first broken rule
     * @throws IOException if {@code in} fails
     */
    public static Manifest read(InputStream in, String name) throws IOException {
        return new ManifestReader(in, name).read();
    }

    /**
     * Like {@link #read}, from bytes in memory.
     *
     * @throws DamagedDataException as {@link #read} does
     */
    public static Manifest decode(byte[] bytes, String name) throws DamagedDataException {
        try {
            return read(new ByteArrayInputStream(bytes), name);
        } catch (DamagedDataException e) {
            throw e;
        } catch (IOException e) {
            throw new IllegalStateException("a byte array can't fail", e);
        }
    }

    /**
     * The file id that a manifest's first bytes name; empty if they are not those of a manifest.
     *
     * @param head the first {@link #HEADER_BYTES}, or less if there are no more
     */
    public static OptionalLong fileId(byte[] head) {
        return head.length < HEADER_BYTES || !Arrays.equals(head, 0, MAGIC.length, MAGIC, 0, MAGIC.length)
                ? OptionalLong.empty()
                : OptionalLong.of(ByteBuffer.wrap(head).getLong(FILE_ID_AT));
    }

    /**
     * How long a manifest is by what its first bytes say; just these if what they say can't be, or can't be read.
     *
     * @param head the first {@link #HEADER_BYTES}
     */
    public static int encodedBytes(byte[] head) {
        ByteBuffer header = ByteBuffer.wrap(head);
        long count = header.getLong(COUNT_AT);
        int recordFormatBytes = Short.toUnsignedInt(header.getShort(RECORD_FORMAT_BYTES_AT));
        boolean possible = count >= 0 && count <= header.getLong(LENGTH_AT) && count <= MAX_CHUNKS;
        return possible && recordFormatBytes <= MAX_RECORD_FORMAT_BYTES
                ? HEADER_BYTES + recordFormatBytes + (int) count * CHUNK_BYTES + Fingerprint.BYTES
                : HEADER_BYTES;
    }
}
