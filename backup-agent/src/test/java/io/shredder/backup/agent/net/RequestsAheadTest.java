// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.shredder.backup.Samples;
import io.shredder.backup.agent.workers.Workers;
import io.shredder.backup.region.BadChunkException;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestsAheadTest {

    private final Random random = new Random(Samples.seed());
    private final Workers workers = new Workers(3);
    private final RequestsAhead ahead = new RequestsAhead(new PutDigests(workers), "client");

    @AfterEach
    void close() {
        workers.close();
    }

    private static Frame frame(Request request) {
        ByteBuf encoded = Frame.encode(ByteBufAllocator.DEFAULT, 1, request);
        try {
            ByteBuffer body = ByteBuffer.allocateDirect(encoded.readableBytes() - WireFormat.HEADER_BYTES);
            encoded.getBytes(encoded.readerIndex() + WireFormat.HEADER_BYTES, body);
            return new Frame(request.type(), 1, body.flip(), 0);
        } finally {
            encoded.release();
        }
    }

    private static StoredRegion undigested(StoredRegion region) {
        return new StoredRegion(region.chunks(), region.codec(), StoredRegion.UNDIGESTED, region.stored());
    }

    @Test
    void whatWasDigestedAheadHasTheDigestThatItWouldHaveHad() throws Exception {
        List<StoredRegion> regions = Samples.inRegions(random, Samples.chunks(random, 200, 2000));
        List<Frame> frames = new ArrayList<>();
        for (StoredRegion region : regions) {
            frames.add(frame(new Request.Put(random.nextBoolean() ? undigested(region) : region)));
            frames.add(frame(new Request.Sync()));
        }
        for (int i = 0; i < frames.size(); i++) {
            ahead.lookAt(frames.get(i), frames.subList(i + 1, frames.size()));
            Request request = ahead.request(frames.get(i));
            if (i % 2 == 1) {
                assertThat(request).isInstanceOf(Request.Sync.class);
                continue;
            }
            Request.Put put = (Request.Put) request;
            assertThat(put.checked()).isTrue();
            assertThat(put.region().storedDigest())
                    .isEqualTo(regions.get(i / 2).storedDigest())
                    .isEqualTo(put.region().stored().digest());
        }
    }

    @Test
    void aWrongDigestIsLeftToWhoeverAnswersAndADamagedBodyIsNamedInItsTurn() throws Exception {
        StoredRegion region = Samples.chunks(random, 1, 500).get(0);
        StoredRegion wrong =
                new StoredRegion(region.chunks(), region.codec(), region.first().fingerprint(), region.stored());
        Frame bad = frame(new Request.Put(wrong));
        Frame damaged = new Frame(FrameType.PUT, 1, ByteBuffer.allocateDirect(3), 0);
        ahead.lookAt(bad, List.of(damaged));
        Request.Put put = (Request.Put) ahead.request(bad);
        assertThat(put.checked()).isFalse();
        assertThatThrownBy(() -> put.region().digested()).isInstanceOf(BadChunkException.class);
        assertThatThrownBy(() -> ahead.request(damaged)).isInstanceOf(DamagedDataException.class);
    }

    /** Bodies of many lengths, so that groups end by their number or by their bytes; who comes late is in one, too. */
    @Test
    void groupsOfAnyLengthsGiveEachFrameItsOwnDigest() throws Exception {
        List<StoredRegion> regions = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            byte[] plain = new byte[1 + random.nextInt(i % 20 == 0 ? 3_000_000 : 70_000)];
            random.nextBytes(plain);
            regions.add(Samples.sealed(plain));
        }
        List<Frame> frames = regions.stream()
                .map(region -> frame(new Request.Put(undigested(region))))
                .toList();
        for (int i = 0; i < frames.size(); i++) {
            int seen = Math.min(frames.size(), i + 1 + random.nextInt(60));
            ahead.lookAt(frames.get(i), frames.subList(i + 1, seen));
            Request.Put put = (Request.Put) ahead.request(frames.get(i));
            assertThat(put.checked()).isTrue();
            assertThat(put.region().storedDigest()).isEqualTo(regions.get(i).storedDigest());
            assertThat(put.region().fingerprints()).isEqualTo(regions.get(i).fingerprints());
        }
    }

    @Test
    void nobodyWaitsForThreadsThatHaveOtherThingsToDo() throws Exception {
        var busy = new java.util.concurrent.CountDownLatch(1);
        for (int i = 0; i < workers.count(); i++) {
            workers.execute(() -> {
                try {
                    busy.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        StoredRegion region = Samples.chunks(random, 1, 500).get(0);
        Frame frame = frame(new Request.Put(undigested(region)));
        List<Frame> frames = new ArrayList<>(List.of(frame));
        for (int i = 0; i < 40; i++) {
            frames.add(frame(new Request.Put(undigested(region))));
        }
        try {
            for (int i = 0; i < 20; i++) {
                ahead.lookAt(frames.get(i), frames.subList(i + 1, frames.size()));
                Request.Put put = (Request.Put) ahead.request(frames.get(i));
                assertThat(put.region().storedDigest()).isEqualTo(region.storedDigest());
            }
            ahead.forget();
        } finally {
            busy.countDown();
        }
    }
}
