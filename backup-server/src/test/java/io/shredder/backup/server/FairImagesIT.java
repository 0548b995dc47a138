// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.backup.BackupSession;
import io.shredder.backup.server.cache.SnapshotCaches;
import io.shredder.backup.server.source.BytesImage;
import io.shredder.backup.server.source.Extent;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.stage.CoresShare;
import io.shredder.backup.server.stage.FairShares;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.InTurn;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two images that are backed up at once advance by their weights: by what the agent has taken of each, not by time. */
@Timeout(300)
class FairImagesIT {

    private static final int IMAGE_BYTES = 96 << 20;
    private static final int TRIES = 4;

    @TempDir
    private Path folder;

    private Sites sites;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        sites.startAgent();
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    /** Begins to be read only when the other one does. */
    private static final class MeetingImage extends BytesImage {
        private final CountDownLatch meeting;

        MeetingImage(byte[] bytes, CountDownLatch meeting) {
            super(bytes, List.of(new Extent(0, bytes.length)), 1 << 20);
            this.meeting = meeting;
        }

        @Override
        public void read(ByteBuffer into, long offset) {
            if (offset == 0) {
                meeting.countDown();
                try {
                    meeting.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            super.read(into, offset);
        }
    }

    /** One backup, and how many requests its agent has answered, nearly all of which bring chunks. */
    private final class Backup implements AutoCloseable {
        private final AgentClient agent;
        private final FairShares.Share share;
        private final CompletableFuture<BackupReport> report;
        private final List<Long> answers = new ArrayList<>();

        Backup(String name, FairShares shares, int weight, Shredder engine, CountDownLatch meeting) throws IOException {
            agent = sites.connect();
            share = shares.join(weight);
            BackupSession session = new BackupSession(
                    agent,
                    engine,
                    sites.key(),
                    SnapshotCaches.none(),
                    KnownCommits.in(folder.resolve("state")),
                    false,
                    CoresShare.beside(new Cores(2), share));
            MeetingImage image = new MeetingImage(text(new Random(name.hashCode())), meeting);
            report = CompletableFuture.supplyAsync(() -> {
                try {
                    return session.run(
                            image, new SnapshotName(name), ImageCuts.usual(), Remarks.none(), Pace.unlimited());
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
        }

        void sample() {
            answers.add(agent.answers());
        }

        /** When it had so much of all that it would have. */
        int sampleAt(double part) {
            long last = answers.get(answers.size() - 1);
            for (int i = 0; i < answers.size(); i++) {
                if (answers.get(i) >= part * last) {
                    return i;
                }
            }
            throw new AssertionError();
        }

        @Override
        public void close() throws IOException {
            share.close();
            agent.close();
        }
    }

    /** Sealing it takes time: it becomes shorter, but by little. */
    private static byte[] text(Random random) {
        byte[] bytes = new byte[IMAGE_BYTES];
        random.nextBytes(bytes);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (' ' + (bytes[i] & 63));
        }
        return bytes;
    }

    /**
     * How much the second advanced while the first advanced by one, for most of the time that it took.
     *
     * @param attempt each has images of its own, of which the agent has nothing
     */
    private double advance(int attempt, int firstWeight, int secondWeight) throws Exception {
        FairShares shares = new FairShares(1);
        CountDownLatch meeting = new CountDownLatch(2);
        try (Shredder engine = Shredder.open(ShredderOptions.defaults());
                Backup first = new Backup("first-" + attempt, shares, firstWeight, engine, meeting);
                Backup second = new Backup("second-" + attempt, shares, secondWeight, engine, meeting)) {
            while (!first.report.isDone()) {
                first.sample();
                second.sample();
                Thread.sleep(1);
            }
            int begin = first.sampleAt(0.1);
            int end = first.sampleAt(0.9);
            assertThat(first.report.get().snapshot().imageBytes()).isEqualTo(IMAGE_BYTES);
            assertThat(second.report.get().snapshot().imageBytes()).isEqualTo(IMAGE_BYTES);
            double ofFirst = first.answers.get(end) - first.answers.get(begin);
            return (second.answers.get(end) - second.answers.get(begin)) / ofFirst;
        }
    }

    /** Of several tries, since a machine that is busy with other things takes turns of its own. */
    private void assertAdvance(int firstWeight, int secondWeight, double least, double most) throws Exception {
        List<Double> seen = new ArrayList<>();
        do {
            seen.add(advance(seen.size(), firstWeight, secondWeight));
        } while (seen.size() < TRIES && !isBetween(seen.get(seen.size() - 1), least, most));
        assertThat(seen).anyMatch(advance -> isBetween(advance, least, most));
    }

    private static boolean isBetween(double value, double least, double most) {
        return least <= value && value <= most;
    }

    @Test
    void twoOfOneWeightAdvanceTogether() throws Exception {
        assertAdvance(100, 100, 0.67, 1.5);
    }

    @InTurn(days = 3)
    @Test
    void oneOfThriceTheWeightAdvancesThriceAsMuch() throws Exception {
        assertAdvance(300, 100, 0.2, 0.55);
    }
}
