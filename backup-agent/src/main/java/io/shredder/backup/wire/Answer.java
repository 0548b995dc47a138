// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.bytes.Texts;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.AuditPosition;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What an agent says: {@code docs/formats/wire.md}. */
public sealed interface Answer extends Message
        permits Answer.Greeting,
                Answer.Found,
                Answer.Done,
                Answer.Committed,
                Answer.Prepared,
                Invitation,
                Answer.Snapshots,
                Answer.Page,
                PageDigests,
                Answer.Region,
                Answer.Regions,
                RegionRecords,
                Answer.Verified,
                Answer.Failure,
                Window,
                UpkeepAnswer {

    /**
     * The agent's first word.
     *
     * @param minVersion oldest version it speaks
     * @param maxVersion newest version it speaks
     * @param maxChunkBytes the longest chunk it takes
     * @param repository which repository it serves
     * @param client who it takes the client for: the CN of the client's certificate, which is its namespace
     * @param product name and version of the agent program
     */
    record Greeting(
            int minVersion, int maxVersion, int maxChunkBytes, UUID repository, SnapshotName client, String product)
            implements Answer {
        @Override
        public FrameType type() {
            return FrameType.GREETING;
        }

        @Override
        public int bodyBytes() {
            return 8 + 16 + Texts.encodedBytes(client.value()) + Texts.encodedBytes(product);
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putShort((short) minVersion).putShort((short) maxVersion).putInt(maxChunkBytes);
            target.putLong(repository.getMostSignificantBits()).putLong(repository.getLeastSignificantBits());
            Texts.write(client.value(), target);
            Texts.write(product, target);
        }
    }

    /**
     * A bit for each fingerprint asked for, set where the chunk is there.
     *
     * @param count how many were asked for
     * @param present owned by this value
     */
    record Found(int count, BitSet present) implements Answer {

        /** Of what was found of each chunk. */
        public static Found of(List<? extends Optional<?>> found) {
            BitSet present = new BitSet(found.size());
            for (int i = 0; i < found.size(); i++) {
                present.set(i, found.get(i).isPresent());
            }
            return new Found(found.size(), present);
        }

        @Override
        public FrameType type() {
            return FrameType.FOUND;
        }

        @Override
        public int bodyBytes() {
            return 4 + (count + 7) / 8;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putInt(count);
            byte[] bits = present.toByteArray();
            target.put(bits).put(new byte[(count + 7) / 8 - bits.length]);
        }
    }

    /** The request is done. */
    record Done() implements Answer {
        @Override
        public FrameType type() {
            return FrameType.DONE;
        }

        @Override
        public int bodyBytes() {
            return 0;
        }

        @Override
        public void writeBody(ByteBuffer target) {}
    }

    /**
     * What the open snapshot is to be sealed with.
     *
     * @param id that it will have
     * @param lastId the newest snapshot of its series now; 0 if there is none. A commit is refused
     *     ({@link ErrorCode#SERIES_MOVED}) once there is a newer one
     * @param audit where the audit log ends
     * @param earlier the position at the offset that was asked for; {@link AuditPosition#NONE} if no line ends there
     */
    record Prepared(long id, long lastId, AuditPosition audit, AuditPosition earlier) implements Answer {
        @Override
        public FrameType type() {
            return FrameType.PREPARED;
        }

        @Override
        public int bodyBytes() {
            return 2 * Long.BYTES + 2 * AuditPosition.BYTES;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(id).putLong(lastId);
            audit.write(target);
            earlier.write(target);
        }
    }

    /** The snapshot is published and durable. */
    record Committed(SnapshotInfo snapshot) implements Answer {
        @Override
        public FrameType type() {
            return FrameType.COMMITTED;
        }

        @Override
        public int bodyBytes() {
            return snapshot.encodedBytes();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            snapshot.write(target);
        }
    }

    /**
     * A page of snapshots.
     *
     * @param snapshots in order of ids
     * @param damaged one line for each snapshot file of the page that can't be read
     * @param nextAfterId ask for this to get the next page; 0 if this was the last
     */
    record Snapshots(List<SnapshotInfo> snapshots, List<String> damaged, long nextAfterId) implements Answer {
        @Override
        public FrameType type() {
            return FrameType.SNAPSHOTS;
        }

        @Override
        public int bodyBytes() {
            return 16
                    + snapshots.stream().mapToInt(SnapshotInfo::encodedBytes).sum()
                    + damaged.stream().mapToInt(Texts::encodedBytes).sum();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(nextAfterId).putInt(snapshots.size()).putInt(damaged.size());
            snapshots.forEach(snapshot -> snapshot.write(target));
            damaged.forEach(line -> Texts.write(line, target));
        }
    }

    /** A page of a snapshot's list. */
    record Page(ListPage page) implements Answer {
        @Override
        public FrameType type() {
            return FrameType.PAGE;
        }

        @Override
        public int bodyBytes() {
            return page.encodedBytes();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            page.write(target);
        }
    }

    /** The region that a chunk is in. */
    record Region(StoredRegion region) implements Answer {
        @Override
        public FrameType type() {
            return FrameType.REGION;
        }

        @Override
        public int bodyBytes() {
            return region.encodedBytes();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            region.write(target);
        }
    }

    /**
     * The regions that chunks are in, each once.
     *
     * @param answered how many of the chunks asked for, from the first on: those that follow are to be asked for again
     */
    record Regions(int answered, List<StoredRegion> regions) implements Answer {
        @Override
        public FrameType type() {
            return FrameType.REGIONS;
        }

        @Override
        public int bodyBytes() {
            return 8
                    + regions.stream()
                            .mapToInt(region -> 4 + region.encodedBytes())
                            .sum();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putInt(answered).putInt(regions.size());
            for (StoredRegion region : regions) {
                target.putInt(region.stored().length());
                region.write(target);
            }
        }
    }

    /**
     * What one part looked like.
     *
     * @param nextCursor ask for this next; 0 if all is verified
     * @param chunks how many chunks this part had
     * @param bytes their plain length
     * @param problems a line for each damaged or missing thing
     */
    record Verified(long nextCursor, long chunks, long bytes, List<String> problems) implements Answer {
        @Override
        public FrameType type() {
            return FrameType.VERIFIED;
        }

        @Override
        public int bodyBytes() {
            return 28 + problems.stream().mapToInt(Texts::encodedBytes).sum();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(nextCursor).putLong(chunks).putLong(bytes).putInt(problems.size());
            problems.forEach(line -> Texts.write(line, target));
        }
    }

    /** The request failed; with request number 0 the whole connection did, and the agent closes it. */
    record Failure(ErrorCode code, String text) implements Answer {
        @Override
        public FrameType type() {
            return FrameType.ERROR;
        }

        @Override
        public int bodyBytes() {
            return 2 + Texts.encodedBytes(text);
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putShort((short) code.code());
            Texts.write(text, target);
        }
    }

    /** Reads the body of an answer of this type. */
    static Answer read(FrameType type, BodyReader in) throws DamagedDataException {
        Answer answer =
                switch (type) {
                    case GREETING -> greeting(in);
                    case FOUND -> found(in);
                    case DONE -> new Done();
                    case COMMITTED -> new Committed(SnapshotInfo.read(in));
                    case PREPARED ->
                        new Prepared(
                                in.u63("snapshot id"),
                                in.u63("last snapshot id"),
                                AuditPosition.read(in),
                                AuditPosition.read(in));
                    case INVITED -> new Invitation(in.uuid("invitation"));
                    case SNAPSHOTS -> snapshots(in);
                    case PAGE -> new Page(ListPage.read(in));
                    case PAGES -> PageDigests.read(in);
                    case REGION -> new Region(StoredRegion.read(in, in.remaining() - StoredRegion.FIXED_BYTES));
                    case REGIONS -> regions(in);
                    case VERIFIED ->
                        new Verified(
                                in.u63("cursor"), in.u63("chunks"), in.u63("bytes"), texts(in, count(in, "problems")));
                    case ERROR -> failure(in);
                    case WINDOW -> Window.read(in);
                    default -> UpkeepAnswer.read(type, in);
                };
        in.end();
        return answer;
    }

    private static Greeting greeting(BodyReader in) throws DamagedDataException {
        int min = in.u16("oldest version");
        int max = in.u16("newest version");
        int maxChunk = in.length("longest chunk", RegionFormat.MAX_CHUNK_BYTES);
        UUID repository = in.uuid("repository");
        return new Greeting(min, max, maxChunk, repository, SnapshotInfo.name(in), in.text("product"));
    }

    private static Found found(BodyReader in) throws DamagedDataException {
        int count = in.length("count", WireFormat.MAX_BATCH);
        if (in.remaining() != (count + 7) / 8) {
            throw in.damaged(in.remaining() + " bytes of bits for " + count + " chunks");
        }
        BitSet present = BitSet.valueOf(in.rest());
        if (present.length() > count) {
            throw in.damaged("bits are set beyond the last chunk");
        }
        return new Found(count, present);
    }

    private static Regions regions(BodyReader in) throws DamagedDataException {
        int answered = in.length("chunks answered", WireFormat.MAX_FETCH);
        int count = in.length("count", answered);
        if (count == 0) {
            throw in.damaged("no region is answered");
        }
        List<StoredRegion> regions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int stored = in.length("stored length", RegionFormat.MAX_STORED_BYTES);
            regions.add(StoredRegion.read(in, stored));
        }
        return new Regions(answered, regions);
    }

    private static Snapshots snapshots(BodyReader in) throws DamagedDataException {
        long next = in.u63("next id");
        int count = in.length("count", WireFormat.MAX_SNAPSHOTS_PAGE);
        int damaged = count(in, "damaged count");
        List<SnapshotInfo> snapshots = new ArrayList<>(Math.min(count, in.remaining()));
        for (int i = 0; i < count; i++) {
            snapshots.add(SnapshotInfo.read(in));
        }
        return new Snapshots(snapshots, texts(in, damaged), next);
    }

    private static Failure failure(BodyReader in) throws DamagedDataException {
        int code = in.u16("error code");
        return new Failure(ErrorCode.fromCode(code), in.text("error text"));
    }

    private static int count(BodyReader in, String field) throws DamagedDataException {
        return in.length(field, WireFormat.MAX_BATCH);
    }

    private static List<String> texts(BodyReader in, int count) throws DamagedDataException {
        List<String> texts = new ArrayList<>(Math.min(count, in.remaining()));
        for (int i = 0; i < count; i++) {
            texts.add(in.text("text"));
        }
        return texts;
    }
}
