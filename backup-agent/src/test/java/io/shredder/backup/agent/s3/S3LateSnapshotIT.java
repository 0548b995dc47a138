// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.s3.S3Relay.Fate;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.store.Repository;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The request that makes a snapshot, of an agent that is killed, comes after the next one has listed the bucket, has
 * collected and has given the snapshot's id to another.
 */
@ExtendWith(OnS3Server.class)
class S3LateSnapshotIT {

    /** Within which the next process has listed. */
    private static final long LATE_MS = 8_000;

    private static final long LIMIT_S = 60;

    @TempDir
    private Path folder;

    private final CountDownLatch underWay = new CountDownLatch(1);
    private final Map<Long, Long> promised = new TreeMap<>();
    private volatile boolean armed;

    /** The first is on its way, and no other arrives. */
    private synchronized Fate fate(S3Relay.Request request) {
        if (!armed || !request.method().equals("PUT") || !request.target().contains(".snapshot")) {
            return Fate.PASSES;
        }
        boolean first = underWay.getCount() > 0;
        underWay.countDown();
        return first ? Fate.ARRIVES_LATE : Fate.IS_LOST;
    }

    @ParameterizedTest
    @ValueSource(strings = {"vm", "other"})
    void nobodyWasToldOfItAndItHurtsNothing(String next, S3Server server) throws Exception {
        String bucket = server.bucket();
        String store = "s3://" + bucket + "/backup";
        try (S3Relay relay = new S3Relay(server.port(), this::fate, LATE_MS)) {
            killWithASnapshotUnderWay(store, relay.endpoint().toString());
            try (Repository repository = S3LifeMain.open(folder.resolve("repo"), store, server.endpoint());
                    TestSession session = TestSession.open(repository)) {
                assertThat(session.collect(false).problems()).isEmpty();
                if (next.equals("other")) {
                    backUp(session, next);
                }
                awaitSnapshot(server, bucket, promised.size() + 1);
                if (next.equals("vm")) {
                    backUp(session, next);
                }
                assertThat(session.collect(false).problems()).isEmpty();
            }
        }
        for (int i = 0; i < 2; i++) {
            try (Repository repository = S3LifeMain.open(folder.resolve("repo"), store, server.endpoint());
                    TestSession session = TestSession.open(repository)) {
                assertThat(session.problems()).isEmpty();
                assertThat(repository.catalogue().ids()).containsExactlyElementsOf(promised.keySet());
                for (Map.Entry<Long, Long> each : promised.entrySet()) {
                    session.assertRestores(each.getKey(), S3LifeMain.regions(each.getValue()));
                }
                backUp(session, "vm");
                assertThat(session.collect(false).problems()).isEmpty();
            }
        }
    }

    private void backUp(TestSession session, String name) throws IOException {
        long seed = 4_000;
        promised.put(session.backUp(name, S3LifeMain.regions(seed)), seed);
    }

    private void killWithASnapshotUnderWay(String store, String endpoint) throws Exception {
        Path log = folder.resolve("log");
        Process process = S3KillTrial.life(folder.resolve("repo"), store, endpoint, 0, log);
        try (BufferedReader out = process.inputReader()) {
            while (promised.size() < 2) {
                S3KillTrial.note(out.readLine(), promised);
            }
            armed = true;
            assertThat(underWay.await(LIMIT_S, TimeUnit.SECONDS)).isTrue();
            process.toHandle().destroyForcibly();
            out.lines().forEach(line -> S3KillTrial.note(line, promised));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static void awaitSnapshot(S3Server server, String bucket, int count) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
        while (server.client()
                        .listObjectsV2(list -> list.bucket(bucket).prefix("backup/snapshots/"))
                        .contents()
                        .size()
                < count) {
            assertThat(System.nanoTime()).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }
}
