// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.trials;

import io.shredder.backup.agent.index.LargeIndex;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.keyfile.KeyFile;
import io.shredder.backup.seal.keyfile.Secret.SecretFile;
import io.shredder.backup.server.AgentProcess;
import io.shredder.backup.server.LaunchOptions;
import io.shredder.backup.server.cli.ShredderBackupMain;
import io.shredder.backup.trial.Tally;
import io.shredder.backup.trial.Trial;
import io.shredder.chunk.Fingerprint;
import io.shredder.it.process.ProcessMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * An agent's process with its default heap on an index of many entries. First come look-ups, then a backup by a process
 * with its own default heap. It fills a table, so that the index joins all that it has into one run, with look-ups
 * beside that. The two together must stay small all the while.
 */
final class IndexTrial implements Trial {

    private static final long MOST_BYTES = 600_000_000;
    private static final int QUESTIONS = 1_000_000;
    private static final int BATCH = 4096;
    private static final int IMAGE_MIB = 320;
    private static final long MERGE_LIMIT_SECONDS = 480;

    private final long entries;

    /** With an index of so many entries. */
    IndexTrial(long entries) {
        this.entries = entries;
    }

    @Override
    public String name() {
        return "index-100m";
    }

    @Override
    public Worker open(Path folder, long seed) throws Exception {
        return new Large(folder, new AgentProcess(folder.resolve("agent")));
    }

    private final class Large implements Worker {

        private final Path folder;
        private final AgentProcess agent;

        Large(Path folder, AgentProcess agent) {
            this.folder = folder;
            this.agent = agent;
        }

        @Override
        public int attempt(long number, long seed, Tally tally) throws Exception {
            agent.close();
            long startNs = System.nanoTime();
            LargeIndex.fill(agent.repository(), entries);
            tally.add("seconds to write it", secondsSince(startNs));
            startNs = System.nanoTime();
            agent.start();
            tally.add("seconds to open it", secondsSince(startNs));
            tally.add("bytes of disk an entry times 100", 100 * indexBytes() / entries);
            tally.add("thousand look-ups a second before", lookUp(new Random(seed), QUESTIONS));
            tally.add("agent MB before", ProcessMemory.mostResidentBytes(agent.pid()) / 1_000_000);
            startNs = System.nanoTime();
            long serverBytes = backUp(new Random(seed));
            int batches = askUntilJoined(new Random(seed));
            tally.add("batches of look-ups while runs were joined", batches);
            tally.add("seconds to back up and join", secondsSince(startNs));
            tally.add("thousand look-ups a second after", lookUp(new Random(seed), QUESTIONS));
            long agentBytes = ProcessMemory.mostResidentBytes(agent.pid());
            tally.add("agent MB at most, joining runs", agentBytes / 1_000_000);
            tally.add("server MB at most", serverBytes / 1_000_000);
            tally.add("MB at most together", (agentBytes + serverBytes) / 1_000_000);
            if (agentBytes + serverBytes > MOST_BYTES) {
                throw new AssertionError("agent and server take " + agentBytes + " + " + serverBytes
                        + " bytes of memory, more than " + MOST_BYTES + "; " + tally);
            }
            return Math.toIntExact(entries);
        }

        /** Asks a little again and again until all runs are one; returns how often. */
        private int askUntilJoined(Random random) throws IOException {
            long startNs = System.nanoTime();
            int batches = 0;
            while (runs() != 1) {
                agent.checkLives();
                if (secondsSince(startNs) > MERGE_LIMIT_SECONDS) {
                    throw new AssertionError("after " + MERGE_LIMIT_SECONDS + " s there are " + runs() + " runs");
                }
                lookUp(random, BATCH);
                batches++;
            }
            return batches;
        }

        private static long secondsSince(long startNs) {
            return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
        }

        private long runs() {
            String[] runs = agent.repository().resolve("index").toFile().list((index, name) -> name.endsWith(".run"));
            return runs == null ? 0 : runs.length;
        }

        private long indexBytes() {
            long bytes = 0;
            for (java.io.File file :
                    agent.repository().resolve("index").toFile().listFiles()) {
                bytes += file.length();
            }
            return bytes;
        }

        /**
         * Asks for as many that are there as for others, and checks each answer; returns how many thousand a second.
         */
        private long lookUp(Random random, int questions) throws IOException {
            long startNs = System.nanoTime();
            try (AgentClient client = agent.connect()) {
                for (int asked = 0; asked < questions; asked += BATCH) {
                    List<Fingerprint> batch = new ArrayList<>();
                    for (int i = 0; i < BATCH; i++) {
                        long number = (long) (random.nextDouble() * entries);
                        batch.add(i % 2 == 0 ? LargeIndex.key(number, entries) : LargeIndex.absent(number, entries));
                    }
                    var found = Answers.await(client.lookup(batch));
                    for (int i = 0; i < BATCH; i++) {
                        if (found.get(i) != (i % 2 == 0)) {
                            throw new AssertionError("the answer on " + batch.get(i) + " is wrong");
                        }
                    }
                }
            }
            return questions * 1_000_000L / (System.nanoTime() - startNs);
        }

        /** Returns the most memory that the command had. */
        private long backUp(Random random) throws IOException, InterruptedException {
            Path image = folder.resolve("image");
            byte[] block = new byte[1 << 20];
            try (OutputStream out = Files.newOutputStream(image)) {
                for (int i = 0; i < IMAGE_MIB; i++) {
                    random.nextBytes(block);
                    out.write(block);
                }
            }
            SecureRandom secure = new SecureRandom();
            KeyFile.of(RepositoryKey.generate(secure), SecretFile.create(folder.resolve("secret"), secure), secure)
                    .create(folder.resolve("key"));
            Process server = new ProcessBuilder(backUpCommand(image))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("server.log").toFile())
                    .start();
            long mostBytes = 0;
            while (!server.waitFor(20, TimeUnit.MILLISECONDS)) {
                mostBytes = Math.max(mostBytes, mostResidentBytes(server));
            }
            if (server.exitValue() != 0) {
                throw new AssertionError("the backup fails: " + Files.readString(folder.resolve("server.log")));
            }
            return mostBytes;
        }

        /** 0 if it has ended meanwhile. */
        private static long mostResidentBytes(Process process) {
            try {
                return ProcessMemory.mostResidentBytes(process.pid());
            } catch (IOException e) {
                return 0;
            }
        }

        private List<String> backUpCommand(Path image) {
            List<String> words = new ArrayList<>();
            words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            words.addAll(LaunchOptions.COMMAND);
            words.addAll(List.of("-cp", System.getProperty("java.class.path"), ShredderBackupMain.class.getName()));
            words.addAll(List.of("backup", image.toString(), "--name", "vm", "--avg", "4k", "--no-cache"));
            words.addAll(List.of("--backend", "cpu")); // A GPU's driver takes hundreds of megabytes of its own.
            words.addAll(List.of("--repository-key", folder.resolve("key").toString()));
            words.addAll(List.of("--secret-file", folder.resolve("secret").toString()));
            words.addAll(List.of("--agent", "127.0.0.1:" + agent.port()));
            words.addAll(List.of("--cert", agent.tls().certificate().toString()));
            words.addAll(List.of("--key", agent.tls().key().toString()));
            words.addAll(List.of("--ca", agent.tls().authority().toString()));
            return words;
        }

        @Override
        public void close() {
            try {
                agent.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
