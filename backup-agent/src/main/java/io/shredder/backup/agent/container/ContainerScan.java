// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Walks the records of one container, first to last, checking head and stored digest of each. */
public final class ContainerScan {

    /** Receives every whole record. */
    public interface Visitor {
        /** Called in order of offsets, with where each chunk of the record is. */
        void region(Map<Fingerprint, ChunkLocation> chunks) throws IOException;

        /**
         * The same of a record of which some chunks were kept elsewhere when it was written. Its table is a client's
         * word, and nobody can have looked what it has of them: it must not take them over.
         */
        default void partly(Map<Fingerprint, ChunkLocation> chunks) throws IOException {
            region(chunks);
        }

        /**
         * A record's head is whole, what it stores is not, or can't be read; the scan ends here unless the visitor
         * takes it.
         */
        default void damaged(Set<Fingerprint> chunks, DamagedDataException damage) throws IOException {
            throw damage;
        }
    }

    private final ContainerFolder folder;
    private final int container;

    /** Scans one container of the folder. */
    public ContainerScan(ContainerFolder folder, int container) {
        this.folder = folder;
        this.container = container;
    }

    /**
     * What a scan found.
     *
     * @param end where the last whole record ends; 0 if not even the header is whole
     * @param damage why nothing more was taken, or null if the file ends there
     */
    public record Result(int end, @Nullable DamagedDataException damage) {
        /** Whether the file just ends within a record: what a writer leaves that dies. */
        public boolean isTorn(long fileBytes) {
            return damage != null && end > 0 && damage.offset() == fileBytes;
        }
    }

    /**
     * Visits the whole records from {@code from} (0: from the first) up to the first that is not whole and that the
     * visitor doesn't take. For what a crash may have torn: zeros are no record.
     */
    public Result scan(int from, Visitor visitor) throws IOException {
        return scan(from, visitor, false);
    }

    /** {@link #scan} of all records; released space is passed over. */
    public Result scanAll(Visitor visitor) throws IOException {
        return scan(0, visitor, true);
    }

    private Result scan(int from, Visitor visitor, boolean mayHaveReleased) throws IOException {
        String file = folder.name(container);
        int at = from;
        try (ReadableFile opened = folder.storage().open(file)) {
            long length = opened.size();
            if (length > Integer.MAX_VALUE) {
                return new Result(at, new DamagedDataException(file, Integer.MAX_VALUE, "longer than any container"));
            }
            int size = (int) length;
            try {
                if (from == 0) {
                    folder.header(container).check(bytes(opened, 0, Math.min(size, FileHeader.BYTES)), file);
                    at = FileHeader.BYTES;
                }
                at = next(opened, at, size, mayHaveReleased);
                while (at < size) {
                    at = next(opened, visit(opened, at, size, visitor), size, mayHaveReleased);
                }
                return new Result(at, null);
            } catch (DamagedDataException e) {
                return new Result(at, e);
            }
        }
    }

    private static int next(ReadableFile opened, int at, int size, boolean mayHaveReleased) throws IOException {
        return mayHaveReleased ? (int) ZeroRun.end(opened, at, size) : at;
    }

    private int visit(ReadableFile opened, int at, int size, Visitor visitor) throws IOException {
        String file = folder.name(container);
        RecordHead head = RecordHead.read(opened, file, at, size);
        int dataAt = at + RecordHead.BYTES;
        if (head.storedBytes() > size - dataAt) {
            throw new DamagedDataException(file, size, "ends inside a record");
        }
        Map<Fingerprint, ChunkLocation> places = head.places(container, at);
        byte[] stored;
        try {
            stored = bytes(opened, dataAt, head.storedBytes()).array();
        } catch (DamagedDataException e) {
            visitor.damaged(places.keySet(), e);
            return dataAt + head.storedBytes();
        }
        StoredRegion region = head.with(new StoredRegion.Payload(stored), file, at);
        if (!region.stored().digest().equals(region.storedDigest())) {
            visitor.damaged(
                    places.keySet(),
                    new DamagedDataException(
                            file,
                            dataAt,
                            "the stored bytes of chunk " + region.first().fingerprint() + " have another SHA-256"));
        } else if (head.partly()) {
            visitor.partly(places);
        } else {
            visitor.region(places);
        }
        return dataAt + head.storedBytes();
    }

    private static ByteBuffer bytes(ReadableFile opened, int at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        opened.readFully(bytes, at);
        return bytes.flip();
    }
}
