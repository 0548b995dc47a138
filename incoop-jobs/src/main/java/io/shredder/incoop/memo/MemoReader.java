// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * An open memo file. Opening reads and checks header, index and trailer; each segment is checked against its digest
 * when it is read. Segments are best read in their order. One thread; the caller closes it.
 */
public final class MemoReader implements AutoCloseable {

    private static final int PIECE_BYTES = 1 << 20;

    private final String name;
    private final FSDataInputStream in;
    private final Fingerprint identity;
    private final Fingerprint jvm;
    private final MemoKind kind;
    private final List<MemoEntry> entries;

    private MemoReader(
            String name,
            FSDataInputStream in,
            Fingerprint identity,
            Fingerprint jvm,
            MemoKind kind,
            List<MemoEntry> entries) {
        this.name = name;
        this.in = in;
        this.identity = identity;
        this.jvm = jvm;
        this.kind = kind;
        this.entries = entries;
    }

    /**
     * Opens a memo file.
     *
     * @throws DamagedDataException if header, index or trailer break the format
     */
    public static MemoReader open(FileSystem fs, Path file) throws IOException {
        long length = fs.getFileStatus(file).getLen();
        FSDataInputStream in = fs.open(file);
        try {
            return read(file.toString(), in, length);
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    private static MemoReader read(String name, FSDataInputStream in, long length) throws IOException {
        if (length < MemoFormat.HEADER_BYTES + MemoFormat.TRAILER_BYTES) {
            throw new DamagedDataException(name, length, "too short for a memo file");
        }
        ByteBuffer header = ByteBuffer.wrap(bytes(name, in, 0, MemoFormat.HEADER_BYTES));
        check(header.getLong() == MemoFormat.HEADER_MAGIC, name, 0, "not a memo file");
        int version = Short.toUnsignedInt(header.getShort());
        check(
                version == MemoFormat.VERSION,
                name,
                8,
                "version " + version + ", this program reads " + MemoFormat.VERSION);
        int kind = Short.toUnsignedInt(header.getShort());
        check(kind < MemoKind.values().length, name, 10, "unknown kind " + kind);
        int segments = header.getInt();
        check(segments > 0 && segments <= MemoFormat.MAX_SEGMENTS, name, 12, segments + " segments an entry");
        Fingerprint identity = Fingerprint.read(header);
        Fingerprint jvm = Fingerprint.read(header);

        long trailerOffset = length - MemoFormat.TRAILER_BYTES;
        ByteBuffer trailer = ByteBuffer.wrap(bytes(name, in, trailerOffset, MemoFormat.TRAILER_BYTES));
        long indexOffset = trailer.getLong();
        long indexLength = trailer.getLong();
        int entries = trailer.getInt();
        check(trailer.getInt() == 0, name, trailerOffset + 20, "reserved bytes are not zero");
        check(
                indexOffset >= MemoFormat.HEADER_BYTES
                        && indexLength >= 0
                        && indexLength <= Integer.MAX_VALUE - 16
                        && indexOffset == trailerOffset - indexLength,
                name,
                trailerOffset,
                "the index does not lie before the trailer");
        check(entries >= 0, name, trailerOffset + 16, entries + " entries");
        byte[] index = bytes(name, in, indexOffset, (int) indexLength);
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        digest.update(header.array());
        digest.update(index);
        digest.update(trailer.array(), 0, 24);
        check(
                Fingerprint.read(trailer).equals(Fingerprint.of(digest.digest())),
                name,
                trailerOffset + 24,
                "wrong digest");
        check(trailer.getLong() == MemoFormat.TRAILER_MAGIC, name, trailerOffset + 56, "wrong magic at the end");
        return new MemoReader(
                name,
                in,
                identity,
                jvm,
                MemoKind.ofCode(kind),
                new MemoIndexParser(name, index, indexOffset, segments).parse(entries));
    }

    /** The identity of the job that wrote it. */
    public Fingerprint identity() {
        return identity;
    }

    /** What the JVM that wrote it was like; all zeros if the identity says so. */
    public Fingerprint jvm() {
        return jvm;
    }

    /** What its entries are. */
    public MemoKind kind() {
        return kind;
    }

    /** The entries, in the order in which they were written. */
    public List<MemoEntry> entries() {
        return entries;
    }

    /**
     * Reads one segment whole.
     *
     * @throws DamagedDataException if its bytes are not those that were written
     */
    public byte[] read(SegmentRef segment) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(segment.length());
        copy(segment, bytes);
        return bytes.toByteArray();
    }

    /**
     * Copies one segment, in pieces.
     *
     * @throws DamagedDataException if its bytes are not those that were written; {@code out} has taken some of them by
     *     then
     */
    public void copy(SegmentRef segment, OutputStream out) throws IOException {
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        byte[] buffer = new byte[Math.min(PIECE_BYTES, segment.length())];
        for (long offset = segment.offset(); offset < segment.end(); ) {
            int length = (int) Math.min(buffer.length, segment.end() - offset);
            readFully(name, in, offset, buffer, length);
            digest.update(buffer, 0, length);
            out.write(buffer, 0, length);
            offset += length;
        }
        check(
                Fingerprint.of(digest.digest()).equals(segment.digest()),
                name,
                segment.offset(),
                "segment of " + segment.length() + " bytes has another digest");
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private static byte[] bytes(String name, FSDataInputStream in, long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        readFully(name, in, offset, bytes, length);
        return bytes;
    }

    private static void readFully(String name, FSDataInputStream in, long offset, byte[] buffer, int length)
            throws IOException {
        try {
            in.seek(offset);
            in.readFully(buffer, 0, length);
        } catch (EOFException e) {
            throw new DamagedDataException(name, offset, "ends within the next " + length + " bytes");
        }
    }

    private static void check(boolean rule, String name, long offset, String problem) throws DamagedDataException {
        if (!rule) {
            throw new DamagedDataException(name, offset, problem);
        }
    }
}
