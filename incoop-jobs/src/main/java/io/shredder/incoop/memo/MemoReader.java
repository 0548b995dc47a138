// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * An open memo file. Opening reads and checks header, index and trailer; each segment is checked against its digest when
 * it is read. Reads are positioned, so several threads may share a reader. The caller closes it.
 */
public final class MemoReader implements AutoCloseable {

    private final String name;
    private final FSDataInputStream in;
    private final Fingerprint identity;
    private final int partitions;
    private final List<MemoEntry> entries;

    private MemoReader(
            String name, FSDataInputStream in, Fingerprint identity, int partitions, List<MemoEntry> entries) {
        this.name = name;
        this.in = in;
        this.identity = identity;
        this.partitions = partitions;
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
        check(version == MemoFormat.VERSION, name, 8, "version " + version + ", this program reads 1");
        check(header.getShort() == 0, name, 10, "reserved bytes are not zero");
        int partitions = header.getInt();
        check(partitions > 0 && partitions <= MemoFormat.MAX_PARTITIONS, name, 12, partitions + " partitions");
        Fingerprint identity = Fingerprint.read(header);

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
                partitions,
                new MemoIndexParser(name, index, indexOffset, partitions).parse(entries));
    }

    /** The identity of the job that wrote it. */
    public Fingerprint identity() {
        return identity;
    }

    /** The number of reduce partitions of every entry. */
    public int partitions() {
        return partitions;
    }

    /** The entries, in the order in which they were written. */
    public List<MemoEntry> entries() {
        return entries;
    }

    /**
     * Reads one segment.
     *
     * @throws DamagedDataException if its bytes are not those that were written
     */
    public byte[] read(SegmentRef segment) throws IOException {
        byte[] data = bytes(name, in, segment.offset(), segment.length());
        check(
                Fingerprint.ofData(ByteBuffer.wrap(data)).equals(segment.digest()),
                name,
                segment.offset(),
                "segment of " + segment.length() + " bytes has another digest");
        return data;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private static byte[] bytes(String name, FSDataInputStream in, long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        try {
            in.readFully(offset, bytes);
        } catch (EOFException e) {
            throw new DamagedDataException(name, offset, "ends within the next " + length + " bytes");
        }
        return bytes;
    }

    private static void check(boolean rule, String name, long offset, String problem) throws DamagedDataException {
        if (!rule) {
            throw new DamagedDataException(name, offset, problem);
        }
    }
}
