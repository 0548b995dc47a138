// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.region.BadChunkException;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads regions from containers. Keeps the last few containers open, since neighbours are asked for together, and what
 * a later backup added lies apart from what it found. For one thread; may work beside the {@link ContainerWriter} and
 * other readers.
 */
public final class ContainerReader implements Closeable {

    /** By how much the head of a record is longer than what a message has before the stored bytes. */
    private static final int LONGER_HEAD = RecordHead.BYTES - Integer.BYTES - StoredRegion.FIXED_BYTES;

    private static final int MAX_OPEN = 4;

    private static final int MOST_RECORD_BYTES = RecordHead.BYTES + RegionFormat.MAX_STORED_BYTES;

    private final ContainerFolder folder;

    /** By container number, the longest unused first. */
    private final Map<Integer, Opened> open = new LinkedHashMap<>(MAX_OPEN + 1, 1, true);

    /** Room for a record that is only checked; outside the heap, where the system puts it. */
    private ByteBuffer checked = ByteBuffer.allocateDirect(0);

    private final RecordWindow window = new RecordWindow();

    /** A container whose header was checked. */
    private record Opened(String name, ReadableFile file) {}

    /** Reads from this folder. */
    public ContainerReader(ContainerFolder folder) {
        this.folder = folder;
    }

    /**
     * The region that a chunk is in, at this place. Its head and the digest of its stored bytes are checked.
     *
     * @throws DamagedDataException naming container, offset and chunk, if the record there does not have this chunk or
     *     is damaged
     */
    public StoredRegion read(Fingerprint expected, ChunkLocation location) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(recordBytes(location));
        RecordHead head = read(expected, location, record);
        StoredRegion.Payload stored =
                new StoredRegion.Payload(record.array(), RecordHead.BYTES, location.storedBytes());
        StoredRegion region = head.with(stored, folder.name(location.container()), location.offset());
        try {
            region.check();
            return region;
        } catch (BadChunkException e) {
            throw new DamagedDataException(
                    folder.name(location.container()), location.offset(), String.valueOf(e.getMessage()));
        }
    }

    /**
     * Reads the region that a chunk is in as {@link #read} does, checks all that that does, and forgets it; takes no
     * memory anew.
     *
     * @return the chunks that are in it
     */
    public List<Fingerprint> check(Fingerprint expected, ChunkLocation location) throws IOException {
        ByteBuffer record = room(recordBytes(location));
        RecordHead head = read(expected, location, record);
        String name = folder.name(location.container());
        head.checkLengths(name, location.offset());
        if (!Fingerprint.ofData(record.position(RecordHead.BYTES))
                .equals(head.fixed().storedDigest())) {
            BadChunkException bad =
                    StoredRegion.otherDigest(head.fixed().first().fingerprint());
            throw new DamagedDataException(name, location.offset(), String.valueOf(bad.getMessage()));
        }
        return head.chunks().stream().map(ChunkRef::fingerprint).toList();
    }

    /**
     * Which of these regions are whole where the index has them, in the order of {@link NearRegions#regions}: read
     * together and digested side by side, where the CPU can. Whatever is wrong with one of the others, or keeps it from
     * being read, {@link #check} tells.
     */
    public BitSet whole(NearRegions near) throws IOException {
        Opened opened = opened(near.first().container());
        return window.whole(opened.file(), opened.name(), near);
    }

    private ByteBuffer room(int bytes) {
        if (checked.capacity() < bytes) {
            checked = ByteBuffer.allocateDirect(Math.max(bytes, Math.min(2 * checked.capacity(), MOST_RECORD_BYTES)));
        }
        return checked.clear().limit(bytes);
    }

    /** Length of the whole record of the region at this place. */
    public static int recordBytes(ChunkLocation location) {
        return RecordHead.BYTES + location.storedBytes();
    }

    /** How much {@link #readUnproved} writes of the region at this place. */
    public static int unprovedBytes(ChunkLocation location) {
        return Integer.BYTES + StoredRegion.FIXED_BYTES + location.storedBytes();
    }

    /**
     * Writes the region at this place as a message has it: length of the stored bytes, fields, stored bytes. Only its
     * head is checked: the stored bytes are for somebody who has the key to prove.
     *
     * @param target with room for {@link #unprovedBytes} from its position on, which moves behind them, and at least
     *     {@value #LONGER_HEAD} bytes before
     * @throws DamagedDataException as {@link #read} does, but for the stored bytes; the position has not moved then
     */
    public void readUnproved(Fingerprint expected, ChunkLocation location, ByteBuffer target) throws IOException {
        int to = target.position();
        long before = target.getLong(to - LONGER_HEAD);
        // The stored bytes come to lie where the message has them, without another copy; what the record's head covers
        // is put back.
        ByteBuffer record = target.slice(to - LONGER_HEAD, recordBytes(location));
        byte[] fixed = new byte[StoredRegion.FIXED_BYTES];
        try {
            read(expected, location, record);
            record.get(RecordHead.FIXED_AT, fixed);
        } finally {
            target.putLong(to - LONGER_HEAD, before);
        }
        target.putInt(location.storedBytes()).put(fixed).position(to + unprovedBytes(location));
    }

    /**
     * All chunks of the record that this place is in, for whoever found it damaged.
     *
     * @throws DamagedDataException if its head is damaged, too: then nobody knows
     */
    public List<Fingerprint> chunksAt(ChunkLocation location) throws IOException {
        Opened opened = opened(location.container());
        ReadableFile file = opened.file();
        return RecordHead.read(file, opened.name(), location.offset(), file.size()).chunks().stream()
                .map(ChunkRef::fingerprint)
                .toList();
    }

    /** Fills {@code record} from its start, and checks the head. */
    private RecordHead read(Fingerprint expected, ChunkLocation location, ByteBuffer record) throws IOException {
        try {
            RecordHead head = record(location, record);
            for (ChunkRef chunk : head.chunks()) {
                if (chunk.fingerprint().equals(expected)) {
                    return head;
                }
            }
            throw new DamagedDataException(
                    folder.name(location.container()),
                    location.offset(),
                    "chunk " + head.fixed().first().fingerprint() + " is here");
        } catch (DamagedDataException e) {
            throw new DamagedDataException(
                    e.source(), e.offset(), e.problem() + " (while reading chunk " + expected + ")");
        }
    }

    private RecordHead record(ChunkLocation location, ByteBuffer record) throws IOException {
        Opened opened;
        try {
            opened = opened(location.container());
            opened.file().readFully(record, location.offset());
        } catch (EOFException e) {
            throw new DamagedDataException(
                    folder.name(location.container()),
                    location.offset() + record.position(),
                    "the container ends here");
        } catch (NoSuchFileException e) {
            throw new DamagedDataException(folder.name(location.container()), 0, "the container is missing");
        }
        RecordHead head = RecordHead.read(record.flip(), opened.name(), location.offset());
        if (head.storedBytes() != location.storedBytes()) {
            throw new DamagedDataException(
                    opened.name(),
                    location.offset() + Integer.BYTES,
                    head.storedBytes() + " stored bytes, not " + location.storedBytes());
        }
        return head;
    }

    private Opened opened(int container) throws IOException {
        Opened known = open.get(container);
        if (known != null) {
            return known;
        }
        if (open.size() == MAX_OPEN) {
            closeLongestUnused();
        }
        Opened opened = open(container);
        open.put(container, opened);
        return opened;
    }

    private Opened open(int container) throws IOException {
        String name = folder.name(container);
        ReadableFile file = folder.storage().open(name);
        try {
            checkHeader(file, name, container);
            return new Opened(name, file);
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    private void checkHeader(ReadableFile file, String name, int container) throws IOException {
        ByteBuffer header = ByteBuffer.allocate((int) Math.min(FileHeader.BYTES, file.size()));
        file.readFully(header, 0);
        folder.header(container).check(header.flip(), name);
    }

    private void closeLongestUnused() throws IOException {
        Iterator<Opened> files = open.values().iterator();
        ReadableFile file = files.next().file();
        files.remove();
        file.close();
    }

    @Override
    public void close() throws IOException {
        while (!open.isEmpty()) {
            closeLongestUnused();
        }
    }
}
