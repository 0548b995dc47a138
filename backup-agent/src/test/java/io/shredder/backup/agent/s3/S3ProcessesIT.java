// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.store.Repository;
import io.shredder.chunk.InTurn;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two agents on two machines, as far as processes with repository folders of their own are, that use one store. */
@ExtendWith(OnS3Server.class)
class S3ProcessesIT {

    private static final long LIMIT_S = 180;

    @TempDir
    private Path folder;

    /** One of them. */
    private static final class Agent implements AutoCloseable {
        private final Process process;
        private final Path log;
        private final BufferedReader out;
        /** Seeds of what it has said to be committed, and not to be deleted since, by id. */
        private final Map<Long, Long> promised = new TreeMap<>();

        Agent(Path repository, String store, String endpoint, long seed, String... more) throws IOException {
            this.log = Path.of(repository + ".log");
            this.process = S3KillTrial.life(repository, store, endpoint, seed, log, more);
            this.out = process.inputReader();
        }

        /** Reads until it has committed one more. */
        void awaitBackup() throws IOException {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (S3KillTrial.note(line, promised).what().equals("committed")) {
                    return;
                }
            }
            throw new IOException("it ended: " + said());
        }

        void signal(String name) throws IOException, InterruptedException {
            assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
        }

        /** Reads what it still says, and returns its exit code. */
        int end() {
            out.lines().forEach(line -> S3KillTrial.note(line, promised));
            try {
                return process.waitFor();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        String said() throws IOException {
            return Files.readString(log);
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @Test
    @InTurn(days = 3)
    void oneWritesTheOtherIsKeptOutAndWhoWasAwayTooLongWritesNoMore(S3Server server) throws Exception {
        String store = "s3://" + server.bucket() + "/backup";
        String endpoint = server.endpoint().toString();
        Path there = folder.resolve("there");
        Map<Long, Long> promised = new TreeMap<>();
        try (Agent first = new Agent(folder.resolve("here"), store, endpoint, 0)) {
            first.awaitBackup();
            CompletableFuture<Integer> firstsEnd = CompletableFuture.supplyAsync(first::end);
            try (Agent refused = new Agent(there, store, endpoint, 1_000)) {
                assertThat(refused.end()).isEqualTo(1);
                assertThat(refused.said()).contains("is in use by process " + first.process.pid());
            }
            first.signal("STOP");
            try (Agent second = new Agent(there, store, endpoint, 1_000, S3LifeMain.TAKES_OVER)) {
                second.awaitBackup();
                first.signal("CONT");
                assertThat(firstsEnd.get(LIMIT_S, TimeUnit.SECONDS))
                        .as("the one that was away")
                        .isEqualTo(1);
                assertThat(first.said()).contains("taken over by");
                second.awaitBackup();
                second.signal("KILL");
                second.end();
                promised.putAll(second.promised);
            }
            promised.putAll(first.promised);
        }
        assertThat(promised).hasSizeGreaterThan(3);
        try (Repository repository = S3LifeMain.open(there, store, server.endpoint());
                TestSession session = TestSession.open(repository)) {
            assertThat(repository.catalogue().ids()).containsAll(promised.keySet());
            for (Map.Entry<Long, Long> each : promised.entrySet()) {
                session.assertRestores(each.getKey(), S3LifeMain.regions(each.getValue()));
            }
            // Its record of what was committed stayed with the first, and is asked for.
            assertThat(session.problems()).singleElement().asString().contains("accept-catalogue");
        }
    }
}
