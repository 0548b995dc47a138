// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.bytes.Texts;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** What a client asks. Every request but {@link Hello} gets exactly one answer: {@code docs/formats/wire.md}. */
public sealed interface Request extends Message
        permits Request.Hello,
                Request.Lookup,
                Request.Put,
                Request.Sync,
                Request.Begin,
                Request.Append,
                Request.Commit,
                Request.ListSnapshots,
                Request.Show,
                Request.Fetch,
                Request.FetchMany,
                Request.Verify,
                Request.VerifySome,
                UploadRequest,
                SeriesRequest,
                ListRequest,
                UpkeepRequest {

    /**
     * The version of all that follows, and a word on who speaks.
     *
     * @param version chosen from the greeting's range
     * @param product name and version of the client program, for the agent's log
     */
    record Hello(int version, String product) implements Request {
        @Override
        public FrameType type() {
            return FrameType.HELLO;
        }

        @Override
        public int bodyBytes() {
            return 2 + Texts.encodedBytes(product);
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putShort((short) version);
            Texts.write(product, target);
        }
    }

    /** Which of these chunks are there? At most {@link WireFormat#MAX_BATCH}. Answer: {@link Answer.Found}. */
    record Lookup(List<Fingerprint> fingerprints) implements Request {
        @Override
        public FrameType type() {
            return FrameType.LOOKUP;
        }

        @Override
        public int bodyBytes() {
            return 4 + fingerprints.size() * Fingerprint.BYTES;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putInt(fingerprints.size());
            fingerprints.forEach(fingerprint -> fingerprint.write(target));
        }
    }

    /**
     * Keep the chunks of this region. Answer: {@link Answer.Done} once checked and written, not yet durable.
     *
     * @param checked whether whoever received it has computed or checked its digest; is not sent
     */
    record Put(StoredRegion region, boolean checked) implements Request {

        /** As it is sent. */
        public Put(StoredRegion region) {
            this(region, false);
        }

        @Override
        public FrameType type() {
            return FrameType.PUT;
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

    /** Make durable what was put before. Answer: {@link Answer.Done} once it is. */
    record Sync() implements Request {
        @Override
        public FrameType type() {
            return FrameType.SYNC;
        }

        @Override
        public int bodyBytes() {
            return 0;
        }

        @Override
        public void writeBody(ByteBuffer target) {}
    }

    /**
     * Starts this connection's one open snapshot. Answer: {@link Answer.Done}.
     *
     * @param name of its series
     * @param seal that its list is under
     * @param imageBytes how long the image is, or {@link #UNKNOWN_LENGTH}; known to agents since
     *     {@link WireFormat#KEEP_ALIVE_VERSION}
     */
    record Begin(SnapshotName name, SnapshotSeal seal, long imageBytes) implements Request {

        /** The length of an image that is not known before its end. */
        public static final long UNKNOWN_LENGTH = 0;

        /** Of an image of unknown length, or for an agent that doesn't ask for it. */
        public Begin(SnapshotName name, SnapshotSeal seal) {
            this(name, seal, UNKNOWN_LENGTH);
        }

        @Override
        public FrameType type() {
            return FrameType.BEGIN;
        }

        @Override
        public int bodyBytes() {
            return SnapshotSeal.BYTES
                    + Texts.encodedBytes(name.value())
                    + (imageBytes == UNKNOWN_LENGTH ? 0 : Long.BYTES);
        }

        @Override
        public void writeBody(ByteBuffer target) {
            seal.write(target);
            Texts.write(name.value(), target);
            if (imageBytes != UNKNOWN_LENGTH) {
                target.putLong(imageBytes);
            }
        }
    }

    /** The open snapshot's next page, its chunks put or found before. Answer: {@link Answer.Done}. */
    record Append(ListPage page) implements Request {
        @Override
        public FrameType type() {
            return FrameType.APPEND;
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

    /** Publish the open snapshot if it is exactly this. Answer: {@link Answer.Committed}, once durable. */
    record Commit(long imageBytes, long chunkCount, Fingerprint contentDigest, SealedBytes summary) implements Request {
        @Override
        public FrameType type() {
            return FrameType.COMMIT;
        }

        @Override
        public int bodyBytes() {
            return 16 + Fingerprint.BYTES + Short.BYTES + summary.length();
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(imageBytes).putLong(chunkCount);
            contentDigest.write(target);
            SnapshotInfo.writeSummary(summary, target);
        }
    }

    /** The client's snapshots with an id above {@code afterId}, in order of ids. Answer: {@link Answer.Snapshots}. */
    record ListSnapshots(long afterId) implements Request {
        @Override
        public FrameType type() {
            return FrameType.LIST;
        }

        @Override
        public int bodyBytes() {
            return 8;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(afterId);
        }
    }

    /** A page of a snapshot's list, counted from 0. Answer: {@link Answer.Page}. */
    record Show(long snapshotId, int page) implements Request {
        @Override
        public FrameType type() {
            return FrameType.SHOW;
        }

        @Override
        public int bodyBytes() {
            return 12;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(snapshotId).putInt(page);
        }
    }

    /** Give me the region that this chunk is in. Answer: {@link Answer.Region}. */
    record Fetch(Fingerprint fingerprint) implements Request {
        @Override
        public FrameType type() {
            return FrameType.FETCH;
        }

        @Override
        public int bodyBytes() {
            return Fingerprint.BYTES;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            fingerprint.write(target);
        }
    }

    /**
     * Give me the regions that these chunks are in, as they lie there: the stored bytes are not digested, since whoever
     * asks proves them by their seals, and asks by {@link Fetch} again for a chunk whose seal is broken. Answer:
     * {@link Answer.Regions}.
     *
     * @param mostBytes how long the regions may be together in the answer, but for a single one; at most
     *     {@link WireFormat#MAX_FETCH_BYTES}
     * @param fingerprints at most {@link WireFormat#MAX_FETCH}
     */
    record FetchMany(int mostBytes, List<Fingerprint> fingerprints) implements Request {
        @Override
        public FrameType type() {
            return FrameType.FETCH_MANY;
        }

        @Override
        public int bodyBytes() {
            return 8 + fingerprints.size() * Fingerprint.BYTES;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putInt(mostBytes).putInt(fingerprints.size());
            fingerprints.forEach(fingerprint -> fingerprint.write(target));
        }
    }

    /**
     * Re-read and re-digest the next part of a snapshot, or of everything. Answer: {@link Answer.Verified}.
     *
     * @param snapshotId the snapshot, or 0 for the whole repository
     * @param cursor 0 to begin, then what the last answer said
     */
    record Verify(long snapshotId, long cursor) implements Request {
        @Override
        public FrameType type() {
            return FrameType.VERIFY;
        }

        @Override
        public int bodyBytes() {
            return 16;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            target.putLong(snapshotId).putLong(cursor);
        }
    }

    /**
     * Re-read and re-digest the next part of some of what is kept. Answer: {@link Answer.Verified}.
     *
     * @param scope the same in each request until the last answer
     * @param cursor 0 to begin, then what the last answer said
     */
    record VerifySome(VerifyScope scope, long cursor) implements Request {
        @Override
        public FrameType type() {
            return FrameType.VERIFY_SOME;
        }

        @Override
        public int bodyBytes() {
            return VerifyScope.BYTES + 8;
        }

        @Override
        public void writeBody(ByteBuffer target) {
            scope.write(target);
            target.putLong(cursor);
        }
    }

    /** Reads the body of a request of this type. */
    static Request read(FrameType type, BodyReader in) throws DamagedDataException {
        Request request =
                switch (type) {
                    case HELLO -> new Hello(in.u16("version"), in.text("product"));
                    case LOOKUP -> new Lookup(fingerprints(in, WireFormat.MAX_BATCH));
                    case PUT -> new Put(StoredRegion.read(in, in.remaining() - StoredRegion.FIXED_BYTES));
                    case SYNC -> new Sync();
                    case BEGIN -> begin(in);
                    case APPEND -> new Append(ListPage.read(in));
                    case COMMIT ->
                        new Commit(
                                in.u63("image length"),
                                in.u63("chunk count"),
                                in.fingerprint("content digest"),
                                SnapshotInfo.summary(in));
                    case LIST -> new ListSnapshots(in.u63("snapshot id"));
                    case SHOW -> new Show(in.u63("snapshot id"), in.length("page number", Integer.MAX_VALUE));
                    case FETCH -> new Fetch(in.fingerprint("chunk fingerprint"));
                    case FETCH_MANY ->
                        new FetchMany(
                                in.length("most bytes", WireFormat.MAX_FETCH_BYTES),
                                atLeastOne(fingerprints(in, WireFormat.MAX_FETCH), in));
                    case VERIFY -> new Verify(in.u63("snapshot id"), in.u63("cursor"));
                    case VERIFY_SOME -> new VerifySome(VerifyScope.read(in), in.u63("cursor"));
                    default -> UploadRequest.read(type, in);
                };
        in.end();
        return request;
    }

    private static Begin begin(BodyReader in) throws DamagedDataException {
        SnapshotSeal seal = SnapshotSeal.read(in);
        SnapshotName name = SnapshotInfo.name(in);
        return new Begin(name, seal, in.remaining() == 0 ? Begin.UNKNOWN_LENGTH : in.u63("image length"));
    }

    private static List<Fingerprint> atLeastOne(List<Fingerprint> fingerprints, BodyReader in)
            throws DamagedDataException {
        if (fingerprints.isEmpty()) {
            throw in.damaged("no chunk is asked for");
        }
        return fingerprints;
    }

    private static List<Fingerprint> fingerprints(BodyReader in, int most) throws DamagedDataException {
        int count = in.length("count", Math.min(most, in.remaining() / Fingerprint.BYTES));
        List<Fingerprint> fingerprints = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            fingerprints.add(in.fingerprint("chunk fingerprint"));
        }
        return fingerprints;
    }
}
