// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.workers.Workers;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.Request;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PutDigestsTest {

    private final Random random = new Random(Samples.seed());
    private final Workers workers = new Workers(2);
    private final PutDigests digests = new PutDigests(workers);

    @AfterEach
    void close() {
        workers.close();
    }

    private static Frame frame(StoredRegion region) {
        ByteBuffer body = ByteBuffer.allocateDirect(region.encodedBytes());
        region.write(body);
        return new Frame(FrameType.PUT, 1, body.flip(), 0);
    }

    private static StoredRegion undigested(StoredRegion region) {
        return new StoredRegion(region.chunks(), region.codec(), StoredRegion.UNDIGESTED, region.stored());
    }

    /** Occupies all workers until it is counted down. */
    private CountDownLatch busyWorkers() throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(workers.count());
        for (int i = 0; i < workers.count(); i++) {
            workers.execute(() -> {
                begun.countDown();
                try {
                    busy.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        begun.await();
        return busy;
    }

    @Test
    void manyConnectionsGetTheirOwnDigestsThoughTheyAreComputedTogether() throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> connections = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            List<StoredRegion> regions = Samples.chunks(new Random(random.nextLong()), 60, 20_000);
            connections.add(new Thread(() -> {
                try {
                    putAll(regions);
                } catch (Throwable e) {
                    failure.set(e);
                }
            }));
        }
        connections.forEach(Thread::start);
        for (Thread connection : connections) {
            connection.join();
        }
        assertThat(failure.get()).isNull();
    }

    private void putAll(List<StoredRegion> regions) throws Exception {
        for (int from = 0; from < regions.size(); from += 3) {
            List<PutDigests.Put> puts = new ArrayList<>();
            for (StoredRegion region : regions.subList(from, from + 3)) {
                puts.add(digests.add(frame(undigested(region)), "client"));
            }
            for (int i = 0; i < puts.size(); i++) {
                Request.Put request = (Request.Put) puts.get(i).request();
                assertThat(request.checked()).isTrue();
                assertThat(request.region().storedDigest())
                        .isEqualTo(regions.get(from + i).storedDigest());
            }
        }
    }

    @Test
    void whoeverAsksDoesWhatOthersWaitForToo() throws Exception {
        CountDownLatch busy = busyWorkers();
        StoredRegion region = Samples.chunks(random, 1, 500).get(0);
        PutDigests.Put other = digests.add(frame(region), "one");
        Frame corrupted = frame(region);
        PutDigests.Put own = digests.add(frame(region), "two");
        PutDigests.Put late = digests.add(corrupted, "one");
        assertThat(((Request.Put) own.request()).checked()).isTrue();
        corrupted.body().put(corrupted.body().limit() - 1, (byte)
                ~corrupted.body().get(corrupted.body().limit() - 1));
        assertThat(((Request.Put) other.request()).checked()).isTrue();
        assertThat(((Request.Put) late.request()).checked())
                .as("digested before")
                .isTrue();
        busy.countDown();
    }

    @Test
    void nobodyLooksAtWhatIsForgotten() throws Exception {
        CountDownLatch busy = busyWorkers();
        List<PutDigests.Put> puts = new ArrayList<>();
        Frame damaged = new Frame(FrameType.PUT, 1, ByteBuffer.allocateDirect(3), 0);
        PutDigests.Put refused = digests.add(damaged, "client");
        for (StoredRegion region : Samples.chunks(random, 2 * PutDigests.TOGETHER, 500)) {
            puts.add(digests.add(frame(region), "client"));
        }
        refused.forget();
        puts.forEach(PutDigests.Put::forget);
        busy.countDown();
        StoredRegion region = Samples.chunks(random, 1, 500).get(0);
        PutDigests.Put next = digests.add(frame(region), "client");
        assertThat(((Request.Put) next.request()).region().storedDigest()).isEqualTo(region.storedDigest());
        next.forget();
        PutDigests.Put bad = digests.add(damaged, "client");
        assertThatThrownBy(bad::request).isInstanceOf(DamagedDataException.class);
    }

    @Test
    void workersBeginOnceEnoughWaitForAllLanes() throws Exception {
        List<PutDigests.Put> puts = new ArrayList<>();
        for (StoredRegion region : Samples.chunks(random, PutDigests.TOGETHER, 500)) {
            puts.add(digests.add(frame(undigested(region)), "client"));
        }
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        for (PutDigests.Put put : puts) {
            while (!put.isRead() && System.nanoTime() < endNs) {
                Thread.sleep(1);
            }
            assertThat(put.isRead()).isTrue();
        }
    }
}
