// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.FieldReader;
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
        byte[] head = bytes(name, in, 0, MemoFormat.HEADER_BYTES);
        FieldReader header = new FieldReader(ByteBuffer.wrap(head), name, 0);
        check(header.i64("the magic") == MemoFormat.HEADER_MAGIC, header, 8, "not a memo file");
        int version = header.u16("the version");
        check(
                version == MemoFormat.VERSION,
                header,
                2,
                "version " + version + ", this program reads " + MemoFormat.VERSION);
        int kind = header.u16("the kind");
        check(kind < MemoKind.values().length, header, 2, "unknown kind " + kind);
        int segments = header.i32("the number of segments");
        check(segments > 0 && segments <= MemoFormat.MAX_SEGMENTS, header, 4, segments + " segments an entry");
        Fingerprint identity = header.fingerprint("the identity");
        Fingerprint jvm = header.fingerprint("the JVM");
        List<MemoEntry> entries = entries(name, in, length - MemoFormat.TRAILER_BYTES, head, segments);
        return new MemoReader(name, in, identity, jvm, MemoKind.ofCode(kind), entries);
    }

    private static List<MemoEntry> entries(
            String name, FSDataInputStream in, long trailerOffset, byte[] head, int segments) throws IOException {
        byte[] tail = bytes(name, in, trailerOffset, MemoFormat.TRAILER_BYTES);
        FieldReader trailer = new FieldReader(ByteBuffer.wrap(tail), name, trailerOffset);
        long indexOffset = trailer.i64("the index's offset");
        long indexLength = trailer.i64("the index's length");
        check(
                indexOffset >= MemoFormat.HEADER_BYTES
                        && indexLength >= 0
                        && indexLength <= Integer.MAX_VALUE - 16
                        && indexOffset == trailerOffset - indexLength,
                trailer,
                16,
                "the index does not lie before the trailer");
        int entries = trailer.i32("the number of entries");
        check(entries >= 0, trailer, 4, entries + " entries");
        check(trailer.i32("reserved bytes") == 0, trailer, 4, "reserved bytes are not zero");
        byte[] index = bytes(name, in, indexOffset, (int) indexLength);
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        digest.update(head);
        digest.update(index);
        digest.update(tail, 0, (int) (trailer.offset() - trailerOffset));
        boolean same = trailer.fingerprint("the digest").equals(Fingerprint.of(digest.digest()));
        check(same, trailer, Fingerprint.BYTES, "wrong digest");
        check(trailer.i64("the magic") == MemoFormat.TRAILER_MAGIC, trailer, 8, "wrong magic at the end");
        return new MemoIndexParser(name, index, indexOffset, segments).parse(entries);
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
        if (!Fingerprint.of(digest.digest()).equals(segment.digest())) {
            throw new DamagedDataException(
                    name, segment.offset(), "segment of " + segment.length() + " bytes has another digest");
        }
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

    /** A rule of the field of so many bytes that was just read. */
    private static void check(boolean rule, FieldReader fields, int fieldBytes, String problem)
            throws DamagedDataException {
        if (!rule) {
            throw fields.damagedBefore(fieldBytes, problem);
        }
    }
}
