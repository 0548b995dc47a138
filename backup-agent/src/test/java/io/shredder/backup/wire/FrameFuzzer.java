// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.Samples;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.region.ChunkCodec;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/** Makes bad frames out of good ones. One thread. */
public final class FrameFuzzer {

    private static final List<StoredRegion> REGIONS =
            Samples.inRegions(new Random(6), Samples.chunks(new Random(5), 50, 200));
    private static final int CRC_AT = 12;
    private static final int TRIES = 8;

    private final Random random;

    /** Chooses by this. */
    public FrameFuzzer(Random random) {
        this.random = random;
    }

    /** A request of any type, as clients send them, that mostly makes no sense where it comes. */
    private Request request() {
        return switch (random.nextInt(29)) {
            case 0, 1, 2, 3 -> new Request.Lookup(fingerprints(random.nextInt(12)));
            case 4 ->
                random.nextInt(400) == 0
                        ? new Request.Lookup(fingerprints(random.nextInt(20_000)))
                        : new Request.Lookup(List.of());
            case 5 -> new Request.Put(region());
            case 6 -> random.nextInt(200) == 0 ? longPut() : new Request.Put(region());
            case 7 -> new Request.Sync();
            case 8 -> new Request.Begin(new SnapshotName("vm" + random.nextInt(9)), Samples.SEAL);
            case 9, 10, 11 -> new Request.Append(Samples.page(random.nextInt(3), fingerprints(1 + random.nextInt(5))));
            case 12 ->
                new Request.Commit(number(), number(), fingerprint(), new SealedBytes(new byte[random.nextInt(60)]));
            case 13 -> new Request.ListSnapshots(number());
            case 14, 15 -> new Request.Show(number(), random.nextInt(5));
            case 16, 17 -> new Request.Fetch(fingerprint());
            case 18 -> new Request.FetchMany(random.nextInt(4000), fingerprints(1 + random.nextInt(12)));
            case 19 -> new Request.Verify(number(), number());
            case 20 ->
                new UpkeepRequest.Delete(IntStream.range(0, random.nextInt(20))
                        .mapToObj(i -> number())
                        .toList());
            case 21 -> new UpkeepRequest.Collect(random.nextInt(20) == 0, random.nextBoolean(), random.nextInt(101));
            case 22 -> new UpkeepRequest.Stats();
            case 23 ->
                random.nextInt(400) == 0 // It takes the agent as long as hundreds of others.
                        ? new Request.VerifySome(
                                new VerifyScope(
                                        Instant.ofEpochMilli(number()),
                                        1 + random.nextInt(VerifyScope.ALL),
                                        random.nextLong()),
                                number())
                        : new UpkeepRequest.Stats();
            case 24 -> new UpkeepRequest.Pending(number());
            case 25 -> new UpkeepRequest.Confirm(number(), fingerprint());
            case 26 -> new UpkeepRequest.Withdraw(number());
            case 27 -> new UpkeepRequest.Keepers();
            default -> new Request.Hello(random.nextInt(1 << 16), "again");
        };
    }

    private StoredRegion region() {
        return REGIONS.get(random.nextInt(REGIONS.size()));
    }

    /** As long as a region may be, or half that, of one chunk or the most there may be; its digest is another's. */
    private Request longPut() {
        StoredRegion other = region();
        int count = random.nextBoolean() ? 1 : RegionFormat.MAX_REGION_CHUNKS;
        int length = (RegionFormat.MAX_CHUNK_BYTES >> random.nextInt(2)) / count;
        List<ChunkRef> chunks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chunks.add(new ChunkRef(length, fingerprint()));
        }
        ByteBuffer stored =
                ByteBuffer.allocate(StoredRegion.tableBytes(count) + count * length + RegionFormat.SEAL_BYTES);
        StoredRegion.writeTable(chunks, stored);
        ChunkCodec codec = count == 1 ? ChunkCodec.SEALED : ChunkCodec.SEALED_TOGETHER;
        return new Request.Put(
                new StoredRegion(chunks, codec, other.storedDigest(), new StoredRegion.Payload(stored.array())));
    }

    private Fingerprint fingerprint() {
        List<Fingerprint> known = region().fingerprints();
        return random.nextInt(3) == 0
                ? known.get(random.nextInt(known.size()))
                : Fingerprint.ofData(ByteBuffer.wrap(Samples.randomBytes(random, 8)));
    }

    private List<Fingerprint> fingerprints(int count) {
        List<Fingerprint> some = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            some.add(fingerprint());
        }
        return some;
    }

    /** Mostly near the ends of the range. */
    private long number() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(4);
            case 1 -> Long.MAX_VALUE - random.nextInt(3);
            case 2 -> random.nextLong() >>> (1 + random.nextInt(62));
            default -> Math.abs((long) random.nextInt());
        };
    }

    /** A frame with some bytes of its body changed and its CRC right, which can still be read as a request. */
    public ByteBuffer readable(int id) {
        Message message = request();
        for (int i = 0; i < TRIES; i++) {
            ByteBuffer frame = mutated(Frame.encode(id, message));
            if (isReadable(frame)) {
                return frame;
            }
        }
        return Frame.encode(id, message);
    }

    private ByteBuffer mutated(ByteBuffer frame) {
        int bodyBytes = frame.remaining() - WireFormat.HEADER_BYTES;
        for (int i = random.nextInt(4); i > 0 && bodyBytes > 0; i--) {
            frame.put(WireFormat.HEADER_BYTES + random.nextInt(bodyBytes), (byte) random.nextInt());
        }
        return withCrc(frame);
    }

    private static ByteBuffer withCrc(ByteBuffer frame) {
        CRC32C crc = new CRC32C();
        crc.update(frame.slice(0, CRC_AT));
        crc.update(frame.slice(WireFormat.HEADER_BYTES, frame.limit() - WireFormat.HEADER_BYTES));
        return frame.putInt(CRC_AT, (int) crc.getValue());
    }

    private static boolean isReadable(ByteBuffer frame) {
        try {
            Frame.Header header = Frame.Header.read(frame, "fuzzer", 0);
            ByteBuffer body = frame.slice(WireFormat.HEADER_BYTES, header.bodyBytes());
            header.with(body, "fuzzer", 0).request("fuzzer");
            return true;
        } catch (DamagedDataException e) {
            return false;
        }
    }

    /** Bytes that break a rule of frames, or a frame whose body does. */
    public byte[] broken() {
        ByteBuffer frame = Frame.encode(1 + random.nextInt(1000), request());
        switch (random.nextInt(8)) {
            case 6 -> frame = withCrc(frame.putInt(4, WireFormat.NO_REQUEST));
            case 0 -> frame.put(random.nextInt(3), (byte) 0x77);
            case 1 -> frame.put(3, (byte) (30 + random.nextInt(200)));
            case 2 -> frame.putInt(8, WireFormat.MAX_BODY_BYTES + 1 + random.nextInt(1 << 30));
            case 3 -> frame.putInt(CRC_AT, frame.getInt(CRC_AT) ^ (1 << random.nextInt(32)));
            case 4 -> frame = withCrc(frame.put(3, (byte) answerType().code()));
            case 5 -> frame = ByteBuffer.wrap(random(WireFormat.HEADER_BYTES + random.nextInt(3000)));
            default -> frame = unreadable(frame);
        }
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    private FrameType answerType() {
        FrameType[] answers = {
            FrameType.GREETING, FrameType.FOUND, FrameType.DONE, FrameType.REGION, FrameType.REGIONS, FrameType.ERROR
        };
        return answers[random.nextInt(answers.length)];
    }

    private ByteBuffer unreadable(ByteBuffer good) {
        for (int i = 0; i < TRIES; i++) {
            ByteBuffer frame = mutated(ByteBuffer.wrap(good.array().clone()));
            if (!isReadable(frame)) {
                return frame;
            }
        }
        return good.put(0, (byte) 0);
    }

    /** Never the start of a frame. */
    private byte[] random(int length) {
        byte[] bytes = Samples.randomBytes(random, length);
        bytes[0] = 'X';
        return bytes;
    }

    /** What a stranger may send instead of a handshake. */
    public byte[] noHandshake() {
        return switch (random.nextInt(4)) {
            case 0 -> Frame.encode(1, request()).array();
            case 1 -> Samples.randomBytes(random, random.nextInt(2000));
            case 2 -> tlsRecord(random.nextInt(400));
            default -> new byte[0];
        };
    }

    /** Begins as a record of a handshake does. */
    private byte[] tlsRecord(int length) {
        byte[] bytes = Samples.randomBytes(random, 5 + length);
        ByteBuffer.wrap(bytes).put((byte) 22).putShort((short) 0x0301).putShort((short) (length + random.nextInt(3)));
        return bytes;
    }
}
