// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.s3.S3Relay.Fate;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.trial.Tally;
import io.shredder.backup.trial.Trial;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * {@code kill -9} of an agent whose repository is in an object store, at random moments over backups, deletions and
 * collections, again and again on one repository. Between them requests are lost, repeated and late, also those of the
 * agent that was killed. What was committed stays and restores bit for bit, and the next agent goes on.
 */
public final class S3KillTrial implements Trial {

    private static final int LONGEST_LIFE_MS = 2_500;
    private static final int KILLS_A_FULL_CHECK = 20;
    /** As long as an agent takes to start, list and begin to work. */
    private static final long LATE_MS = 1_500;
    /** One request in so many has another fate than to pass. */
    private static final int ONE_FATE_IN = 12;

    private static final List<Fate> FATES = List.of(
            Fate.IS_LOST,
            Fate.LOSES_ITS_ANSWER,
            Fate.ARRIVES_TWICE,
            Fate.ARRIVES_LATE,
            Fate.ARRIVES_AGAIN_LATE,
            Fate.IS_TOLD_TO_SLOW_DOWN);

    @Override
    public String name() {
        return "s3-kills";
    }

    @Override
    public Worker open(Path folder, long seed) throws Exception {
        return new Round(folder, seed);
    }

    /**
     * Starts {@link S3LifeMain}.
     *
     * @param seed of its first backup
     * @param log gets what it says of errors
     * @param more words
     */
    static Process life(Path repository, String store, String endpoint, long seed, Path log, String... more)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Daws.accessKeyId=" + S3Server.ACCESS,
                "-Daws.secretAccessKey=" + S3Server.SECRET,
                "-cp",
                System.getProperty("java.class.path"),
                S3LifeMain.class.getName(),
                repository.toString(),
                store,
                endpoint,
                String.valueOf(seed)));
        command.addAll(List.of(more));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.to(log.toFile()))
                .start();
    }

    /**
     * A line of {@link S3LifeMain}'s.
     *
     * @param what its first word, or nothing
     * @param seed of a backup that was committed
     */
    record Said(String what, long seed) {}

    /**
     * Notes what a line promises. It may be torn by a kill; then nobody was told.
     *
     * @param promised seeds of what was committed and is never to be deleted, by id
     */
    static Said note(String line, Map<Long, Long> promised) {
        String[] words = line.split(" ");
        if (words[0].equals("committed") && words.length == 3) {
            long seed = Long.parseLong(words[2]);
            promised.put(Long.parseLong(words[1]), seed);
            return new Said(words[0], seed);
        } else if (words[0].equals("deleting") && words.length == 2) {
            promised.remove(Long.parseLong(words[1]));
            return new Said(words[0], 0);
        }
        return new Said("", 0);
    }

    private static final class Round implements Worker {

        private final Path folder;
        private final Random fates;
        private final S3Server server;
        private final S3Relay relay;
        private final String store;
        /** Seeds of what was committed and never to be deleted, by id. */
        private final Map<Long, Long> promised = new TreeMap<>();

        private long nextSeed;
        private int kills;

        Round(Path folder, long seed) throws Exception {
            this.folder = folder;
            this.fates = new Random(seed);
            this.server = S3Server.start(folder);
            this.relay = new S3Relay(server.port(), request -> fate(), LATE_MS);
            this.store = "s3://" + server.bucket() + "/backup";
        }

        private synchronized Fate fate() {
            return fates.nextInt(ONE_FATE_IN) == 0 ? FATES.get(fates.nextInt(FATES.size())) : Fate.PASSES;
        }

        @Override
        public int attempt(long number, long seed, Tally tally) throws Exception {
            Random random = new Random(seed);
            Process process = launch();
            try (BufferedReader out = process.inputReader()) {
                String first = out.readLine();
                assertThat(first).as(() -> log()).isEqualTo("open");
                Thread killer = new Thread(() -> kill(process, random.nextInt(LONGEST_LIFE_MS)), "killer");
                killer.start();
                out.lines().forEach(line -> note(line, tally));
                killer.join();
            }
            assertThat(process.waitFor()).as(() -> log()).isEqualTo(137);
            kills++;
            if (kills % KILLS_A_FULL_CHECK == 0) {
                check(tally);
            }
            return 1;
        }

        private static void kill(Process process, int afterMs) {
            try {
                TimeUnit.MILLISECONDS.sleep(afterMs);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            process.toHandle().destroyForcibly(); // Which leaves open what it has said so far.
        }

        private Process launch() throws IOException {
            return life(repository(), store, relay.endpoint().toString(), nextSeed, logFile());
        }

        private Path repository() {
            return folder.resolve("repo");
        }

        private Path logFile() {
            return folder.resolve("agent.log");
        }

        private String log() {
            try {
                return Files.readString(logFile());
            } catch (IOException e) {
                return e.toString();
            }
        }

        private void note(String line, Tally tally) {
            Said said = S3KillTrial.note(line, promised);
            if (said.what().equals("committed")) {
                nextSeed = said.seed() + 1;
                tally.count("backups");
            } else if (said.what().equals("deleting")) {
                tally.count("deletions");
            }
        }

        /** Everything that was promised is there and whole; then the older half goes. */
        private void check(Tally tally) throws IOException {
            try (Repository repository = S3LifeMain.open(repository(), store, URI.create(endpoint()));
                    TestSession session = TestSession.open(repository)) {
                assertThat(repository.catalogue().problems()).isEmpty();
                assertThat(repository.catalogue().ids()).containsAll(promised.keySet());
                for (Map.Entry<Long, Long> each : promised.entrySet()) {
                    session.assertRestores(each.getKey(), S3LifeMain.regions(each.getValue()));
                    tally.count("restores");
                }
                assertThat(session.problems()).isEmpty();
                List<Long> all = List.copyOf(repository.catalogue().ids());
                for (long id : all.subList(0, all.size() / 2)) {
                    promised.remove(id);
                    session.delete(id);
                }
                assertThat(session.collect(false).problems()).isEmpty();
            }
        }

        private String endpoint() {
            return server.endpoint().toString();
        }

        @Override
        public void close() throws Exception {
            try (server;
                    relay) {
                check(new Tally());
                System.out.println("s3-kills: requests' fates " + relay.counts());
            }
        }
    }
}
