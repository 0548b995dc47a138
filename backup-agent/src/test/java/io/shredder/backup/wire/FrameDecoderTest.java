// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.shredder.backup.Samples;
import io.shredder.backup.posix.DirectMemory;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DamagedDataException;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FrameDecoderTest {

    /** How many bodies to try, and a tenth as many streams; {@code -Dwire.frames=10000000} for a long run. */
    private static final int FRAMES = Integer.getInteger("wire.frames", 200_000);

    private static final long MOST_GROWTH_BYTES = 16 << 20;

    private static byte[] stream(List<Message> messages) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        int requestId = 1;
        for (Message message : messages) {
            ByteBuffer frame = Frame.encode(requestId++, message);
            stream.write(frame.array(), 0, frame.remaining());
        }
        return stream.toByteArray();
    }

    /** What comes out of the decoder until it fails or the stream ends. */
    private static List<Frame> decode(byte[] stream, Random splits) {
        EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder("peer"));
        List<Frame> frames = new ArrayList<>();
        for (int at = 0; at < stream.length; ) {
            int end = Math.min(stream.length, at + 1 + splits.nextInt(300));
            channel.writeInbound(Unpooled.copiedBuffer(stream, at, end - at));
            at = end;
            collect(channel, frames);
        }
        channel.finish();
        collect(channel, frames);
        return frames;
    }

    private static void collect(EmbeddedChannel channel, List<Frame> frames) {
        for (Frame frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
            frames.add(frame);
        }
    }

    @Test
    void framesComeOutWholeHoweverTheStreamIsSplit() throws DamagedDataException {
        byte[] stream = stream(MessageTest.ALL);
        Random random = new Random(Samples.seed());
        for (int round = 0; round < 200; round++) {
            List<Frame> frames = decode(stream, random);
            assertThat(frames).hasSize(MessageTest.ALL.size());
            for (int i = 0; i < frames.size(); i++) {
                assertThat(frames.get(i).requestId()).isEqualTo(i + 1);
                assertThat(frames.get(i).body()).isEqualTo(ByteBuffer.wrap(MessageTest.body(MessageTest.ALL.get(i))));
            }
        }
    }

    @Test
    void aLongBodyGetsMemoryOnlyAsItComes() throws DamagedDataException {
        byte[] plain =
                Samples.randomBytes(new Random(3), RegionFormat.MAX_CHUNK_BYTES / RegionFormat.MAX_REGION_CHUNKS);
        StoredRegion longest = Samples.region(Collections.nCopies(RegionFormat.MAX_REGION_CHUNKS, plain));
        assertThat(longest.stored().length()).isEqualTo(RegionFormat.MAX_STORED_BYTES);
        byte[] stream = stream(List.of(new Request.Put(longest)));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder("peer"));
        long before = threads.getCurrentThreadAllocatedBytes();
        channel.writeInbound(Unpooled.wrappedBuffer(stream, 0, 1000));
        assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                .isLessThan(BodyBuffers.MAX_BUFFER_BYTES + (64 << 10));
        List<Frame> frames = new ArrayList<>();
        for (int at = 1000; at < stream.length; at += 100_000) {
            channel.writeInbound(Unpooled.wrappedBuffer(stream, at, Math.min(100_000, stream.length - at)));
            collect(channel, frames);
        }
        assertThat(frames).hasSize(1);
        assertThat(frames.get(0).body()).isEqualTo(ByteBuffer.wrap(MessageTest.body(new Request.Put(longest))));
    }

    @Test
    void bodiesThatAreGivenBackAreUsedAgainAndHoldWhatWasSent() {
        Random random = new Random(Samples.seed());
        List<Message> puts = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            List<StoredRegion> chunks = Samples.chunks(random, 1 + random.nextInt(6), 1 + random.nextInt(100_000));
            puts.add(new Request.Put(Samples.together(chunks)));
        }
        BodyBuffers buffers = BodyBuffers.outsideHeap(8 << 20, DirectMemory::free);
        Set<ByteBuffer> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder("peer", buffers));
        for (Message put : puts) {
            channel.writeInbound(Unpooled.wrappedBuffer(stream(List.of(put))));
            Frame frame = channel.readInbound();
            assertThat(frame.body()).isEqualTo(ByteBuffer.wrap(MessageTest.body(put)));
            assertThat(frame.body().isDirect()).isTrue();
            seen.add(frame.body());
            buffers.giveBack(frame);
        }
        assertThat(seen.size()).isLessThan(puts.size() / 2);
    }

    @Test
    void aBodyOfWhichARestNeverCameIsUsedAgain() {
        BodyBuffers buffers = BodyBuffers.outsideHeap(8 << 20, DirectMemory::free);
        ByteBuffer known = buffers.take(100_000);
        buffers.giveBack(known);
        byte[] stream = stream(List.of(new Request.Put(Samples.together(Samples.chunks(new Random(5), 1, 100_000)))));
        EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder("peer", buffers));
        channel.writeInbound(Unpooled.wrappedBuffer(stream, 0, 50_000));
        assertThat(buffers.take(100_000)).isNotSameAs(known);
        assertThatThrownBy(channel::finish).hasMessageContaining("inside a frame");
        assertThat(buffers.take(100_000)).isSameAs(known);
    }

    @Test
    void everyFlippedBitOfAFrameIsFound() {
        byte[] good = stream(List.of(new Request.Show(7, 1), new Request.Sync()));
        for (int bit = 0; bit < good.length * 8; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> decode(bad, new Random(1)))
                    .as("bit " + bit)
                    .isInstanceOf(DecoderException.class)
                    .cause()
                    .isInstanceOfSatisfying(DamagedDataException.class, e -> assertThat(e.offset())
                            .isBetween(0L, (long) good.length));
        }
    }

    @Test
    void aStreamThatEndsInsideAFrameIsRefused() {
        byte[] good = stream(List.of(new Request.Show(7, 1)));
        for (int length = 1; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> decode(cut, new Random(1))).cause().hasMessageContaining("ended inside a frame");
        }
    }

    @Test
    void aBodyLongerThanAllowedIsRefusedBeforeItIsRead() {
        ByteBuffer frame = Frame.encode(1, new Request.Sync());
        frame.putInt(8, WireFormat.MAX_BODY_BYTES + 1);
        assertThatThrownBy(() -> decode(frame.array(), new Random(1)))
                .cause()
                .hasMessage("peer: damaged at offset 8: body of 8392705 bytes is longer than 8392704");
    }

    @Test
    void randomBytesNeverDoMoreThanFailWithAnOffset() {
        Random random = new Random(Samples.seed());
        byte[] good = stream(MessageTest.ALL);
        long heapBefore = usedHeapBytes();
        for (int round = 0; round < FRAMES / 10; round++) {
            byte[] bytes = round % 2 == 0
                    ? Samples.randomBytes(random, random.nextInt(200))
                    : mutated(Arrays.copyOf(good, random.nextInt(good.length)), random);
            try {
                decode(bytes, random);
            } catch (DecoderException e) {
                assertThat(e.getCause()).isInstanceOf(DamagedDataException.class);
            }
        }
        assertThat(usedHeapBytes() - heapBefore).isLessThan(MOST_GROWTH_BYTES);
    }

    private static long usedHeapBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void randomBodiesOfEveryTypeEitherParseOrFailWithAnOffset() {
        Random random = new Random(Samples.seed());
        for (int round = 0; round < FRAMES; round++) {
            Message message = MessageTest.ALL.get(random.nextInt(MessageTest.ALL.size()));
            byte[] body = random.nextInt(4) == 0
                    ? Samples.randomBytes(random, random.nextInt(400))
                    : mutated(MessageTest.body(message), random);
            try {
                Message parsed = MessageTest.read(message.type(), body);
                assertThat(MessageTest.body(parsed).length).isEqualTo(parsed.bodyBytes());
            } catch (DamagedDataException e) {
                assertThat(e.offset()).isBetween(1016L, 1016L + body.length);
            }
        }
    }

    private static byte[] mutated(byte[] bytes, Random random) {
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return random.nextInt(8) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)) : bytes;
    }
}
