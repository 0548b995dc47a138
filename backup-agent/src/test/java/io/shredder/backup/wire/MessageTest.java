// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeeperState.Condition;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.AuditPosition;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MessageTest {

    private static final Fingerprint DIGEST = Fingerprint.ofData(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    private static final StoredRegion RAW = Samples.sealed(Samples.randomBytes(new Random(1), 100));
    private static final StoredRegion PACKED = Samples.sealed(new byte[5000]);
    private static final StoredRegion TOGETHER = Samples.together(Samples.chunks(new Random(2), 3, 200));
    private static final SnapshotInfo SNAPSHOT = new SnapshotInfo(
            7,
            new SnapshotName("vm-1"),
            Instant.ofEpochMilli(1_700_000_000_123L),
            123_456,
            3,
            Samples.SEAL,
            new SealedBytes(new byte[96]),
            DIGEST);
    private static final ListPage PAGE = Samples.pageOf(2, List.of(RAW, PACKED));

    private static final KeepersState KEEPERS = new KeepersState(
            1,
            1,
            7,
            true,
            false,
            1,
            0,
            9,
            List.of(
                    new KeeperState(Condition.WHOLE, "/disk1/ä", "", Optional.empty(), 0, 2, 0, 0),
                    new KeeperState(
                            Condition.LEFT_OUT, "/b", "full", Optional.of(Instant.ofEpochMilli(0x0102)), 3, 4, 5, 6)));

    static final List<Message> ALL = List.of(
            new Answer.Greeting(1, 3, 8 << 20, new UUID(5, 6), new SnapshotName("site1"), "agent"),
            new Request.Hello(1, "server"),
            new Request.Lookup(List.of(DIGEST, RAW.first().fingerprint())),
            new Answer.Found(11, bits(0, 9, 10)),
            new Request.Put(RAW),
            new Request.Put(PACKED),
            new Request.Put(TOGETHER),
            new Answer.Done(),
            new Request.Sync(),
            new Request.Begin(new SnapshotName("vm-1"), Samples.SEAL),
            new KeepAlive(120_000),
            new Window(1 << 20),
            new Request.Append(PAGE),
            new Request.Commit(5100, 2, DIGEST, new SealedBytes(new byte[50])),
            new UploadRequest.Invite(),
            new Invitation(new UUID(-7, 8)),
            new UploadRequest.Join(new UUID(-7, 8)),
            new SeriesRequest.Prepare(700),
            new Answer.Prepared(8, 7, new AuditPosition(900, -1, 5), AuditPosition.NONE),
            new Answer.Committed(SNAPSHOT),
            new SeriesRequest.ListSeries(3, new SnapshotName("vm-1")),
            new ListRequest.ListPages(3, 70, true),
            new PageDigests(9, List.of(DIGEST, RAW.first().fingerprint(), DIGEST), bits(0, 2)),
            new ListRequest.Share(3, 1, 2),
            new ListRequest.MendPage(3, PAGE),
            new Request.ListSnapshots(3),
            new Answer.Snapshots(List.of(SNAPSHOT, SNAPSHOT), List.of("x: damaged at offset 3: ä"), 9),
            new Request.Show(7, 100),
            new Answer.Page(PAGE),
            new Request.Fetch(DIGEST),
            new Request.FetchMany(1 << 20, List.of(DIGEST, RAW.first().fingerprint())),
            new Answer.Region(PACKED),
            new Answer.Region(TOGETHER),
            new Answer.Regions(3, List.of(RAW, TOGETHER, PACKED)),
            new Request.Verify(0, 12),
            new Request.VerifySome(new VerifyScope(Instant.ofEpochMilli(1_700_000_000_123L), 50_000, -3), 12),
            new Answer.Verified(13, 5, 500, List.of("a", "b")),
            new Answer.Failure(ErrorCode.STORAGE_FULL, "full"),
            new UpkeepRequest.Delete(List.of(3L, 9L)),
            new UpkeepRequest.Collect(true, false, 20),
            new UpkeepAnswer.Collected(true, 5, 600, 500, 400, 3, 2, List.of("a: damaged at offset 3: ä")),
            new UpkeepRequest.Pending(4),
            new UpkeepAnswer.Pending(Optional.empty()),
            new UpkeepAnswer.Pending(Optional.of(new PendingDeletion(
                    5,
                    new SnapshotName("site1-admin"),
                    Instant.ofEpochMilli(1_700_000_000_123L),
                    Instant.ofEpochMilli(1_700_086_400_123L),
                    List.of(
                            PendingDeletion.Going.of(SNAPSHOT),
                            PendingDeletion.Going.unreadable(9, new SnapshotName("vm-2")))))),
            new UpkeepRequest.Keepers(),
            new UpkeepAnswer.Keepers(Optional.empty()),
            new UpkeepAnswer.Keepers(Optional.of(KEEPERS)),
            new UpkeepRequest.Confirm(5, DIGEST),
            new UpkeepRequest.Withdraw(5),
            new UpkeepRequest.Stats(),
            new UpkeepAnswer.Statistics(
                    new SnapshotName("site1"), List.of("append", "prune"), 3, 4000, 5000, 60, 2, 777, 1L << 40));

    private static BitSet bits(int... set) {
        BitSet bits = new BitSet();
        for (int bit : set) {
            bits.set(bit);
        }
        return bits;
    }

    static Message read(FrameType type, byte[] body) throws DamagedDataException {
        Frame frame = new Frame(type, 1, ByteBuffer.wrap(body), 1000);
        boolean request = Set.of(
                        FrameType.HELLO,
                        FrameType.LOOKUP,
                        FrameType.PUT,
                        FrameType.SYNC,
                        FrameType.BEGIN,
                        FrameType.APPEND,
                        FrameType.COMMIT,
                        FrameType.INVITE,
                        FrameType.JOIN,
                        FrameType.PREPARE,
                        FrameType.LIST_SERIES,
                        FrameType.LIST_PAGES,
                        FrameType.SHARE,
                        FrameType.MEND_PAGE,
                        FrameType.LIST,
                        FrameType.SHOW,
                        FrameType.FETCH,
                        FrameType.FETCH_MANY,
                        FrameType.VERIFY,
                        FrameType.VERIFY_SOME,
                        FrameType.DELETE,
                        FrameType.COLLECT,
                        FrameType.STATS,
                        FrameType.KEEPERS,
                        FrameType.PENDING,
                        FrameType.CONFIRM,
                        FrameType.WITHDRAW)
                .contains(type);
        if (type == FrameType.KEEP_ALIVE) {
            return frame.keepAlive("peer");
        }
        return request ? frame.request("peer") : frame.answer("peer");
    }

    static byte[] body(Message message) {
        ByteBuffer body = ByteBuffer.allocate(message.bodyBytes());
        message.writeBody(body);
        return body.array();
    }

    /** But for those between agents and keepers, which have samples of their own. */
    @Test
    void everyTypeOfFrameIsAmongTheSamples() {
        Set<FrameType> types = EnumSet.noneOf(FrameType.class);
        ALL.forEach(message -> types.add(message.type()));
        Set<FrameType> all = EnumSet.allOf(FrameType.class);
        all.removeIf(type -> type.name().startsWith("KEEPER_"));
        assertThat(types).isEqualTo(all);
    }

    @Test
    void everyMessageReadsBackAsItWasWritten() throws DamagedDataException {
        for (Message message : ALL) {
            Message again = read(message.type(), body(message));
            assertThat(body(again)).as(message.type().name()).isEqualTo(body(message));
            assertThat(again.getClass()).isEqualTo(message.getClass());
        }
    }

    @Test
    void aBeginHasItsImagesLengthOnlyIfThatIsKnown() throws DamagedDataException {
        Request.Begin known = new Request.Begin(new SnapshotName("vm-1"), Samples.SEAL, 5100);
        byte[] body = body(known);
        assertThat(read(FrameType.BEGIN, body)).isEqualTo(known);
        byte[] without = java.util.Arrays.copyOf(body, body.length - Long.BYTES);
        Request.Begin unknown = new Request.Begin(new SnapshotName("vm-1"), Samples.SEAL);
        assertThat(read(FrameType.BEGIN, without)).isEqualTo(unknown);
        assertThat(body(unknown)).isEqualTo(without);
    }

    @Test
    void everyTruncatedMessageIsRefusedAtTheOffsetWhereItEnds() {
        for (Message message : ALL) {
            byte[] body = body(message);
            for (int length = 0; length < body.length; length++) {
                byte[] cut = java.util.Arrays.copyOf(body, length);
                if (length > leastBytes(message)) {
                    continue; // Fewer sealed bytes are well formed; their digest is another matter.
                }
                assertThatThrownBy(() -> read(message.type(), cut))
                        .as(message.type() + " cut to " + length)
                        .isInstanceOfSatisfying(DamagedDataException.class, e -> {
                            assertThat(e.source()).isEqualTo("peer");
                            assertThat(e.offset()).isBetween(1016L, 1016L + body.length);
                        });
            }
        }
    }

    /** How long a message with a region must be to be well formed; of all others, as long as it is. */
    private static int leastBytes(Message message) {
        StoredRegion region = message instanceof Request.Put put
                ? put.region()
                : message instanceof Answer.Region answer ? answer.region() : null;
        return region == null
                ? message.bodyBytes()
                : StoredRegion.FIXED_BYTES
                        + StoredRegion.tableBytes(region.chunks().size())
                        + RegionFormat.SEAL_BYTES;
    }

    @Test
    void bytesAfterTheLastFieldAreRefused() {
        for (Message message : ALL) {
            if (message instanceof Request.Put || message instanceof Answer.Region) {
                continue; // Their last field is the rest of the body.
            }
            byte[] longer = java.util.Arrays.copyOf(body(message), message.bodyBytes() + 1);
            assertThatThrownBy(() -> read(message.type(), longer))
                    .as(message.type().name())
                    .isInstanceOf(DamagedDataException.class);
        }
    }

    @Test
    void aClientMayNotSendAnswersNorAnAgentRequests() {
        assertThatThrownBy(() -> new Frame(FrameType.DONE, 1, ByteBuffer.allocate(0), 0).request("peer"))
                .hasMessageContaining("may not send DONE");
        assertThatThrownBy(() -> new Frame(FrameType.SYNC, 1, ByteBuffer.allocate(0), 0).answer("peer"))
                .hasMessageContaining("may not send SYNC");
    }

    @Test
    void aFrameHasExactlyTheDocumentedBytes() {
        assertThat(hex(Frame.encode(0x01020304, new Request.Show(7, 1))))
                .isEqualTo(
                        "5348" + "01" + "0e" + "01020304" + "0000000c" + "4bf8894c" + "0000000000000007" + "00000001");
        assertThat(hex(Frame.encode(1, new Answer.Found(11, bits(0, 9, 10)))))
                .startsWith("53480104" + "00000001" + "00000006")
                .endsWith("0000000b" + "0106");
        assertThat(hex(Frame.encode(1, new Answer.Failure(ErrorCode.STORAGE_FULL, "ä"))))
                .endsWith("0008" + "0002" + "c3a4");
    }

    @Test
    void aWindowHasExactlyTheDocumentedBytesAndIsNeverNothing() throws DamagedDataException {
        assertThat(HexFormat.of().formatHex(body(new Window(0x01020304)))).isEqualTo("01020304");
        assertThat(read(FrameType.WINDOW, body(new Window(1)))).isEqualTo(new Window(1));
        assertThat(read(FrameType.WINDOW, body(new Window(Integer.MAX_VALUE))))
                .isEqualTo(new Window(Integer.MAX_VALUE));
        for (int wrong : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> read(FrameType.WINDOW, body(new Window(wrong))))
                    .isInstanceOf(DamagedDataException.class)
                    .hasMessageContaining("window");
        }
    }

    @Test
    void aPageHasExactlyTheDocumentedBytes() {
        ListPage page = new ListPage(3, List.of(DIGEST), new SealedBytes(new byte[] {7, 8}));
        assertThat(HexFormat.of().formatHex(body(new Request.Append(page))))
                .isEqualTo("00000003" + "00000001" + "00000002" + DIGEST + "0708");
    }

    @Test
    void aScopeHasExactlyTheDocumentedBytesAndNoOtherValues() {
        VerifyScope scope = new VerifyScope(Instant.ofEpochMilli(0x0102), 50_000, 3);
        byte[] body = body(new Request.VerifySome(scope, 4));
        assertThat(HexFormat.of().formatHex(body))
                .isEqualTo("0000000000000102" + "0000c350" + "0000000000000003" + "0000000000000004");
        ByteBuffer millionths = ByteBuffer.wrap(body);
        for (int wrong : new int[] {0, VerifyScope.ALL + 1, -1}) {
            millionths.putInt(8, wrong);
            assertThatThrownBy(() -> read(FrameType.VERIFY_SOME, body)).isInstanceOf(DamagedDataException.class);
        }
        millionths.putInt(8, 1).putLong(0, -1);
        assertThatThrownBy(() -> read(FrameType.VERIFY_SOME, body)).hasMessageContaining("since");
    }

    @Test
    void theStateOfKeepersHasExactlyTheDocumentedBytes() throws DamagedDataException {
        byte[] body = body(new UpkeepAnswer.Keepers(Optional.of(KEEPERS)));
        String none = "0000000000000000";
        assertThat(HexFormat.of().formatHex(body))
                .isEqualTo("01" + "0001" + "0001" + "00000007" + "0001" + "0001" + "0000" + "0000000000000009"
                        + "00" + none + none + "0000000000000002" + none + none + "0009" + "2f6469736b312fc3a4" + "0000"
                        + "03" + "0000000000000102" + "0000000000000003" + "0000000000000004" + "0000000000000005"
                        + "0000000000000006" + "0002" + "2f62" + "0004" + "66756c6c");
        assertThat(read(FrameType.KEEPERS_STATE, body)).isEqualTo(new UpkeepAnswer.Keepers(Optional.of(KEEPERS)));
        assertThat(HexFormat.of().formatHex(body(new UpkeepAnswer.Keepers(Optional.empty()))))
                .isEqualTo("00");
    }

    @Test
    void aStateOfKeepersThatCantBeIsRefusedByItsOffset() {
        assertRefusedState(0, 2, "is neither 0 nor 1", 1);
        assertRefusedState(2, 0, "no store has 0 + 1 keepers", 5);
        assertRefusedState(4, 0, "no store has 1 + 0 keepers", 5);
        assertRefusedState(1, 1, "no store has 257 + 1 keepers", 5);
        assertRefusedState(5, 0x80, "epoch", 5);
        assertRefusedState(9, 1, "flags 257 are unknown", 11);
        assertRefusedState(12, 2, "2 keepers to spare for writing are too many", 13);
        assertRefusedState(10, 2, "1 keepers to spare for writing are too many", 13);
        assertRefusedState(14, 1, "1 keepers to spare for reading are too many", 15);
        assertRefusedState(15, 0x80, "undecided files", 15);
        assertRefusedState(23, 5, "a keeper's condition is 5", 24);
        assertRefusedState(24, 0x80, "since when", 24);
        assertRefusedState(32, 0x80, "files that are lacking", 32);
        assertRefusedState(40, 0x80, "damaged places", 40);
        assertRefusedState(48, 0x80, "bytes that were filled", 48);
        assertRefusedState(56, 0x80, "bytes to be filled", 56);
        assertRefusedState(64, 0x80, "a keeper's home", 64);
        assertRefusedState(66, 0x80, "a keeper's home is not UTF-8", 66);
    }

    /** With another byte at this place. */
    private static void assertRefusedState(int at, int value, String problem, int offset) {
        byte[] body = body(new UpkeepAnswer.Keepers(Optional.of(KEEPERS)));
        body[at] = (byte) value;
        assertThatThrownBy(() -> read(FrameType.KEEPERS_STATE, body))
                .as("byte " + at)
                .isInstanceOfSatisfying(
                        DamagedDataException.class, e -> assertThat(e.offset()).isEqualTo(1016 + offset))
                .hasMessageContaining(problem);
    }

    @Test
    void theLongestStateOfKeepersFitsAFrameAndWhatIsKeptFree() {
        String longest = "n".repeat(3000);
        KeeperState keeper = new KeeperState(
                Condition.FILLING, longest, longest, Optional.of(Instant.ofEpochMilli(Long.MAX_VALUE)), 1, 1, 1, 1);
        KeepersState state = new KeepersState(
                250, 6, 1, true, true, 0, 0, 0, Collections.nCopies(KeepersState.MOST_KEEPERS, keeper));
        assertThat(state.encodedBytes()).isEqualTo(KeepersState.MAX_BYTES).isLessThan(WireFormat.MAX_BODY_BYTES);
        assertThat(state.withoutHomes().encodedBytes())
                .isEqualTo(KeepersState.MAX_BYTES - 2 * 2048 * KeepersState.MOST_KEEPERS);
    }

    @Test
    void anyOtherByteOfAStateOfKeepersIsReadOrRefused() {
        byte[] sound = body(new UpkeepAnswer.Keepers(Optional.of(KEEPERS)));
        Random random = new Random(Samples.seed());
        for (int i = 0; i < 100_000; i++) {
            byte[] body = sound.clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            try {
                Message again = read(FrameType.KEEPERS_STATE, body);
                assertThat(body(again)).isEqualTo(body);
            } catch (DamagedDataException e) {
                assertThat(e.offset()).isBetween(1016L, 1016L + body.length);
            }
        }
    }

    @Test
    void referencesThatAreNotAscendingAreRefused() {
        byte[] twice = body(new Request.Append(PAGE));
        System.arraycopy(twice, 12, twice, 12 + Fingerprint.BYTES, Fingerprint.BYTES);
        assertThatThrownBy(() -> read(FrameType.APPEND, twice)).hasMessageContaining("not above the one before");
    }

    @Test
    void aRegionHasExactlyTheDocumentedBytes() {
        List<ChunkRef> chunks = TOGETHER.chunks();
        String stored = chunks.get(1).fingerprint()
                + "%08x".formatted(chunks.get(1).length())
                + chunks.get(2).fingerprint()
                + "%08x".formatted(chunks.get(2).length())
                + hex(TOGETHER.sealed().view());
        String region = chunks.get(0).fingerprint()
                + TOGETHER.storedDigest().toString()
                + "%08x".formatted(chunks.get(0).length())
                + "03" + "02" + "0000"
                + stored;
        assertThat(hex(ByteBuffer.wrap(body(new Request.Put(TOGETHER))))).isEqualTo(region);
        assertThat(hex(ByteBuffer.wrap(body(new Answer.Region(TOGETHER))))).isEqualTo(region);
        assertThat(hex(ByteBuffer.wrap(body(new Answer.Regions(3, List.of(TOGETHER))))))
                .isEqualTo("00000003" + "00000001" + "%08x".formatted(stored.length() / 2) + region);
        assertThat(hex(ByteBuffer.wrap(body(new Request.FetchMany(0x0102, List.of(DIGEST))))))
                .isEqualTo("00000102" + "00000001" + DIGEST);
    }

    @Test
    void aRegionThatContradictsItselfIsRefused() {
        assertRefused(TOGETHER, 68, 2, "3 chunks with codec SEALED");
        assertRefused(RAW, 68, 3, "1 chunks with codec SEALED_TOGETHER");
        assertRefused(TOGETHER, 69, 255, "shorter than the table of 255");
        byte[] oneByteLong = new byte[24]; // Sealed, it passes for a line of the table: a chunk of one byte.
        oneByteLong[23] = 1;
        assertRefused(Samples.region(Collections.nCopies(64, oneByteLong)), 69, 64, "a region of 65 chunks");
        assertRefused(TOGETHER, 70, 1, "reserved bytes is not zero");
        assertRefused(TOGETHER, 72 + 36 + 32 + 3, 1, "sealed bytes for chunks of");
        assertRefused(TOGETHER, 72 + 32, 1, "chunk length 16777");
    }

    /** With another byte at this place. */
    private static void assertRefused(StoredRegion region, int at, int value, String problem) {
        byte[] body = body(new Request.Put(region));
        body[at] = (byte) value;
        assertThatThrownBy(() -> read(FrameType.PUT, body))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void chunksThatAreFetchedTogetherAreNeitherNoneNorTooMany() {
        assertRefusedMany(1, List.of(), "no chunk is asked for");
        assertRefusedMany(1, Collections.nCopies(WireFormat.MAX_FETCH + 1, DIGEST), "count 4097 is above 4096");
        assertRefusedMany(WireFormat.MAX_FETCH_BYTES + 1, List.of(DIGEST), "most bytes 4194305 is above 4194304");
        byte[] none = body(new Answer.Regions(3, List.of()));
        assertThatThrownBy(() -> read(FrameType.REGIONS, none)).hasMessageContaining("no region is answered");
        byte[] tooMany = body(new Answer.Regions(1, List.of(RAW, PACKED)));
        assertThatThrownBy(() -> read(FrameType.REGIONS, tooMany)).hasMessageContaining("count 2 is above 1");
    }

    private static void assertRefusedMany(int mostBytes, List<Fingerprint> chunks, String problem) {
        byte[] body = body(new Request.FetchMany(mostBytes, chunks));
        assertThatThrownBy(() -> read(FrameType.FETCH_MANY, body))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void chunksInTheReadableFormsOfVersionOneAreRefused() {
        byte[] body = body(new Request.Put(PACKED));
        for (byte codec = 0; codec < 2; codec++) {
            body[2 * Fingerprint.BYTES + 4] = codec;
            assertThatThrownBy(() -> read(FrameType.PUT, body)).hasMessageContaining("unknown codec " + codec);
        }
    }

    @Test
    void aTextTooLongIsCutAtACharacter() throws DamagedDataException {
        Message again = read(FrameType.ERROR, body(new Answer.Failure(ErrorCode.OTHER, "a" + "ä".repeat(2000))));
        assertThat(((Answer.Failure) again).text()).isEqualTo("a" + "ä".repeat(1023));
    }

    private static String hex(ByteBuffer frame) {
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void theLongestPageOfSnapshotsFitsAFrame() {
        SnapshotInfo longest = new SnapshotInfo(
                7,
                new SnapshotName("n".repeat(100)),
                Instant.ofEpochMilli(1),
                1,
                1,
                Samples.SEAL,
                new SealedBytes(new byte[SnapshotInfo.MAX_SUMMARY_BYTES]),
                DIGEST);
        Answer page = new Answer.Snapshots(
                Collections.nCopies(WireFormat.MAX_SNAPSHOTS_PAGE, longest), List.of(), Long.MAX_VALUE);
        assertThat(page.bodyBytes()).isLessThanOrEqualTo(WireFormat.MAX_BODY_BYTES);
    }
}
