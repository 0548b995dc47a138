// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.bytes.Texts;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What the record of commits and deletions says, one after another: {@code docs/formats/catalogue.md}, section 2. */
sealed interface CatalogueRecord {

    int COMMITTED = 1;
    int FOUND = 2;
    int DELETED = 3;
    int PAST_LOST = 4;
    int PUBLISHING = 5;
    int TOGETHER = 6;
    int HELD = 7;

    /** Deletions of more are several records. */
    int MAX_DELETED = 1024;

    /** At most so many are published at once: more than an agent has connections. */
    int MAX_PUBLISHING = 1024;

    /** The least that one record takes within another. */
    int LEAST_BYTES = 1 + Integer.BYTES;

    /** A byte that says which record it is. */
    int type();

    /** Length of what {@link #write} writes. */
    int bodyBytes();

    /** Writes {@link #bodyBytes} bytes at the position of {@code target}, which must be big-endian. */
    void write(ByteBuffer target);

    /**
     * A snapshot was committed.
     *
     * @param fileBytes length of its file
     */
    record Committed(SnapshotName namespace, SnapshotInfo info, long fileBytes) implements CatalogueRecord {
        @Override
        public int type() {
            return COMMITTED;
        }

        @Override
        public int bodyBytes() {
            return Long.BYTES + Texts.encodedBytes(namespace.value()) + info.encodedBytes();
        }

        @Override
        public void write(ByteBuffer target) {
            target.putLong(fileBytes);
            Texts.write(namespace.value(), target);
            info.write(target);
        }
    }

    /** A snapshot's file was there when a record was begun anew, and could not be read. */
    record Found(SnapshotName namespace, SnapshotName name, long id) implements CatalogueRecord {
        @Override
        public int type() {
            return FOUND;
        }

        @Override
        public int bodyBytes() {
            return Long.BYTES + Texts.encodedBytes(namespace.value()) + Texts.encodedBytes(name.value());
        }

        @Override
        public void write(ByteBuffer target) {
            target.putLong(id);
            Texts.write(namespace.value(), target);
            Texts.write(name.value(), target);
        }
    }

    /**
     * Snapshots are deleted: their files go next. Stands for all such records before.
     *
     * @param ids also those that were deleted before while their files could not be
     */
    record Deleted(List<Long> ids) implements CatalogueRecord {
        @Override
        public int type() {
            return DELETED;
        }

        @Override
        public int bodyBytes() {
            return idsBytes(ids);
        }

        @Override
        public void write(ByteBuffer target) {
            writeIds(ids, target);
        }
    }

    /**
     * What was before is not known for certain: nothing is deleted until the operator accepts what there is, which
     * begins the record anew.
     */
    record PastLost(String reason) implements CatalogueRecord {
        @Override
        public int type() {
            return PAST_LOST;
        }

        @Override
        public int bodyBytes() {
            return Texts.encodedBytes(reason);
        }

        @Override
        public void write(ByteBuffer target) {
            Texts.write(reason, target);
        }
    }

    /**
     * Of these ids files may have their names before a record says that they are committed. Stands for all such records
     * before.
     *
     * @param ids in ascending order
     */
    record Publishing(List<Long> ids) implements CatalogueRecord {
        @Override
        public int type() {
            return PUBLISHING;
        }

        @Override
        public int bodyBytes() {
            return idsBytes(ids);
        }

        @Override
        public void write(ByteBuffer target) {
            writeIds(ids, target);
        }
    }

    /**
     * From here on the storage is open in another hold of it. Of what is still on its way from the hold before nothing
     * counts.
     *
     * @param hold see {@link io.shredder.backup.agent.storage.Storage#hold}
     * @param highestId of all that was ever recorded before, or that is there and that nobody explains
     * @param open lower ids whose files may still come, in ascending order
     */
    record Held(UUID hold, long highestId, List<Long> open) implements CatalogueRecord {

        /** Keeps a copy. */
        public Held {
            open = List.copyOf(open);
        }

        /** Whether in the hold before a file of this id may have been on its way. */
        boolean mayFollow(long id) {
            return id > highestId || open.contains(id);
        }

        @Override
        public int type() {
            return HELD;
        }

        @Override
        public int bodyBytes() {
            return 3 * Long.BYTES + idsBytes(open);
        }

        @Override
        public void write(ByteBuffer target) {
            target.putLong(hold.getMostSignificantBits()).putLong(hold.getLeastSignificantBits());
            target.putLong(highestId);
            writeIds(open, target);
        }
    }

    /** Several that became durable together: all of them or none. None of them is such a one. */
    record Together(List<CatalogueRecord> records) implements CatalogueRecord {
        @Override
        public int type() {
            return TOGETHER;
        }

        @Override
        public int bodyBytes() {
            return Integer.BYTES
                    + records.stream()
                            .mapToInt(record -> 1 + record.bodyBytes())
                            .sum();
        }

        @Override
        public void write(ByteBuffer target) {
            target.putInt(records.size());
            for (CatalogueRecord record : records) {
                target.put((byte) record.type());
                record.write(target);
            }
        }
    }

    /** What one record of the file says, in order. */
    default List<CatalogueRecord> all() {
        return this instanceof Together several ? several.records() : List.of(this);
    }

    /** What it says of the commit of this snapshot, if it says that. */
    default Optional<Committed> commitOf(long id) {
        for (CatalogueRecord record : all()) {
            if (record instanceof Committed committed && committed.info().id() == id) {
                return Optional.of(committed);
            }
        }
        return Optional.empty();
    }

    private static int idsBytes(List<Long> ids) {
        return Integer.BYTES + Long.BYTES * ids.size();
    }

    private static void writeIds(List<Long> ids, ByteBuffer target) {
        target.putInt(ids.size());
        ids.forEach(target::putLong);
    }

    /** Reads a record of this type, all that is left. */
    static CatalogueRecord read(int type, BodyReader in) throws DamagedDataException {
        CatalogueRecord read = type == TOGETHER ? together(in) : one(type, in);
        in.end();
        return read;
    }

    private static CatalogueRecord one(int type, BodyReader in) throws DamagedDataException {
        return switch (type) {
            case COMMITTED -> committed(in);
            case FOUND -> found(in);
            case DELETED -> new Deleted(ids(in, MAX_DELETED));
            case PAST_LOST -> new PastLost(in.text("reason"));
            case PUBLISHING -> new Publishing(ids(in, MAX_PUBLISHING));
            case HELD -> new Held(in.uuid("hold"), in.u63("highest id"), ids(in, MAX_PUBLISHING));
            default -> throw in.damaged("a record of type " + type);
        };
    }

    private static Together together(BodyReader in) throws DamagedDataException {
        int count = in.length("count", CatalogueFormat.MAX_RECORD_BYTES / LEAST_BYTES);
        List<CatalogueRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(one(in.u8("type"), in));
        }
        return new Together(List.copyOf(records));
    }

    private static Committed committed(BodyReader in) throws DamagedDataException {
        long fileBytes = in.u63("length of the file");
        SnapshotName namespace = SnapshotInfo.name(in);
        return new Committed(namespace, SnapshotInfo.read(in), fileBytes);
    }

    private static Found found(BodyReader in) throws DamagedDataException {
        long id = in.u63("snapshot id");
        SnapshotName namespace = SnapshotInfo.name(in);
        return new Found(namespace, SnapshotInfo.name(in), id);
    }

    private static List<Long> ids(BodyReader in, int most) throws DamagedDataException {
        int count = in.length("count", most);
        List<Long> ids = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ids.add(in.u63("snapshot id"));
        }
        return ids;
    }
}
