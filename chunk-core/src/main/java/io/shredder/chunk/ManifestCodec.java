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

/** Writes and reads manifests: {@code docs/formats/manifest.md}, version 1. */
public final class ManifestCodec {

    /** Where the file id ends, in bytes from the start. */
    public static final int FILE_ID_END = 88;

    static final byte[] MAGIC = "SHRDMANI".getBytes(StandardCharsets.US_ASCII);
    static final int VERSION = 1;
    static final int HEADER_BYTES = 96;
    static final int FILE_ID_AT = FILE_ID_END - Long.BYTES;
    static final int CHUNK_BYTES = 4 + Fingerprint.BYTES;
    static final int MAX_RECORD_FORMAT_BYTES = 1024;
    static final int SEGMENT_END = 0x8000_0000;

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
     * The file id that a manifest's first bytes name, whatever else they are.
     *
     * @param head at least {@link #FILE_ID_END} bytes
     */
    public static long fileId(byte[] head) {
        return ByteBuffer.wrap(head).getLong(FILE_ID_AT);
    }
}
