// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.digests;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.FieldReader;
import io.shredder.chunk.Fingerprint;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A listing that is open for reading: {@code docs/formats/digests.md}. For one thread. */
public final class DigestListing implements Closeable {

    private static final int SKIP_BYTES = 64 << 10;

    private final String name;
    private final FSDataInputStream in;
    private final long tableAt;
    private final long files;

    private DigestListing(String name, FSDataInputStream in, long tableAt, long files) {
        this.name = name;
        this.in = in;
        this.tableAt = tableAt;
        this.files = files;
    }

    /** Gets each file of a listing. */
    @FunctionalInterface
    public interface Visitor {
        void file(ListedFile file) throws IOException;
    }

    /**
     * Opens it and reads its end.
     *
     * @throws DamagedDataException if this can't be the end of a listing, with the offset
     */
    public static DigestListing open(FileSystem fs, Path path) throws IOException {
        String name = path.toString();
        long length = fs.getFileStatus(path).getLen();
        if (length < ListingFormat.HEADER_BYTES + ListingFormat.TRAILER_BYTES) {
            throw new DamagedDataException(name, length, "a listing of digests is longer");
        }
        FSDataInputStream in = fs.open(path);
        try {
            byte[] header = new byte[ListingFormat.HEADER_BYTES];
            in.readFully(0, header);
            checkHeader(new FieldReader(ByteBuffer.wrap(header), name, 0));
            long trailerAt = length - ListingFormat.TRAILER_BYTES;
            byte[] counts = new byte[2 * Long.BYTES];
            in.readFully(trailerAt, counts);
            long files = ByteBuffer.wrap(counts).getLong();
            long tableAt = ByteBuffer.wrap(counts).getLong(Long.BYTES);
            if (tableAt < ListingFormat.HEADER_BYTES
                    || tableAt > trailerAt
                    || (trailerAt - tableAt) % ListingFormat.PLACE_BYTES != 0
                    || (trailerAt - tableAt) / ListingFormat.PLACE_BYTES != files) {
                throw new DamagedDataException(
                        name, trailerAt, files + " files and a table at " + tableAt + " can't be");
            }
            return new DigestListing(name, in, tableAt, files);
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    private static void checkHeader(FieldReader header) throws DamagedDataException {
        if (!Arrays.equals(header.take("magic", ListingFormat.MAGIC.length), ListingFormat.MAGIC)) {
            throw header.damagedAt(0, "not a listing of digests");
        }
        int version = header.u16("version");
        if (version != ListingFormat.VERSION) {
            throw header.damagedBefore(
                    Short.BYTES, "version " + version + " of a listing: this reader knows " + ListingFormat.VERSION);
        }
        header.zeros(header.remaining(), "reserved bytes");
    }

    /** How many files are in it. */
    public long files() {
        return files;
    }

    /**
     * Reads all of it, which proves it.
     *
     * @throws DamagedDataException if it is damaged, with the offset of the first broken rule
     */
    public void readAll(Visitor visitor) throws IOException {
        MessageDigest sha256 = DigestAlgorithm.SHA_256.newMessageDigest();
        in.seek(0);
        DataInputStream data = new DataInputStream(new DigestInputStream(new BufferedInputStream(in), sha256));
        data.readFully(new byte[ListingFormat.HEADER_BYTES]); // What is skipped is not digested.
        long at = ListingFormat.HEADER_BYTES;
        for (long i = 0; i < files; i++) {
            ListedEntry entry = ListedEntry.read(data, name, at, tableAt);
            visitor.file(entry.file());
            at = entry.end();
        }
        if (at != tableAt) {
            throw new DamagedDataException(name, at, "the last file ends here, but the table begins at " + tableAt);
        }
        long digestAt = tableAt + ListingFormat.PLACE_BYTES * files + 2 * Long.BYTES;
        byte[] skipped = new byte[SKIP_BYTES];
        for (long left = digestAt - tableAt; left > 0; ) {
            int count = (int) Math.min(left, skipped.length);
            data.readFully(skipped, 0, count);
            left -= count;
        }
        Fingerprint expected = Fingerprint.of(sha256.digest());
        byte[] digest = new byte[Fingerprint.BYTES];
        data.readFully(digest);
        if (!Fingerprint.of(digest).equals(expected)) {
            throw new DamagedDataException(name, digestAt, "the SHA-256 does not match");
        }
    }

    /** What it says of a file. */
    public Optional<ListedFile> find(String path) throws IOException {
        byte[] wanted = path.getBytes(StandardCharsets.UTF_8);
        long low = 0;
        long high = files;
        while (low < high) {
            long middle = (low + high) >>> 1;
            long at = place(middle);
            int order = Arrays.compareUnsigned(pathAt(at), wanted);
            if (order == 0) {
                in.seek(at);
                return Optional.of(ListedEntry.read(new DataInputStream(in), name, at, tableAt)
                        .file());
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return Optional.empty();
    }

    private long place(long index) throws IOException {
        long placeAt = tableAt + ListingFormat.PLACE_BYTES * index;
        byte[] place = new byte[Long.BYTES];
        in.readFully(placeAt, place);
        long at = ByteBuffer.wrap(place).getLong();
        if (at < ListingFormat.HEADER_BYTES || at > tableAt - Short.BYTES) {
            throw new DamagedDataException(name, placeAt, "a file at " + at + " can't be");
        }
        return at;
    }

    private byte[] pathAt(long at) throws IOException {
        byte[] length = new byte[Short.BYTES];
        in.readFully(at, length);
        byte[] path = new byte[Short.toUnsignedInt(ByteBuffer.wrap(length).getShort())];
        ListedEntry.require(path.length, name, at, tableAt - Short.BYTES);
        in.readFully(at + Short.BYTES, path);
        return path;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
