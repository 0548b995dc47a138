// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.server.cli.ShredderBackupMain;
import io.shredder.backup.trial.Tally;
import io.shredder.backup.trial.Trial;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The way to the agent turns into a black hole at a record of either side in an exchange, each in turn: the command
 * ends within its limit, with one line that says why. Commands run in this process, each through a way of its own; they
 * wait for most of the time.
 */
public final class SilentTrial implements Trial {

    /** An agent was told to let a client have so many connections. */
    public static final int MOST_WORKERS = 60;

    private static final List<String> EXCHANGES = List.of("backup", "restore", "verify", "prune", "gc", "list");
    private static final int NEVER = Integer.MAX_VALUE;
    /** Far above the limit of silence, far below the time of a test that waits for ever. */
    private static final long MOST_SECONDS = 60;

    private static final Pattern REASON =
            Pattern.compile("silent for [0-9]+ s|within [0-9]+ s|handshake|timed out|the client was silent");
    private static final Pattern REMEDY =
            Pattern.compile("run again|run it again|is 'backup-agent serve' running there");

    private @Nullable Site site;

    /** A record of a side in an exchange. */
    private record Step(String exchange, boolean fromClient, int record) {}

    @Override
    public String name() {
        return "silent";
    }

    @Override
    public synchronized Worker open(Path folder, long seed) throws IOException {
        if (site == null) {
            site = new Site(folder.resolveSibling(folder.getFileName() + "-site"));
        }
        return new Hanging(site);
    }

    @Override
    public String finish() throws IOException {
        Site used = site;
        if (used == null) {
            return "";
        }
        try (used) {
            return used.steps.size() + " records in " + EXCHANGES.size() + " exchanges";
        }
    }

    /** An agent, an image that is there, and what each exchange has. Safe for any number of threads. */
    private static final class Site implements AutoCloseable {

        private final Path folder;
        private final Sites sites;
        private final Path image;
        private final List<Step> steps = new ArrayList<>();
        private final AtomicInteger numbers = new AtomicInteger();

        Site(Path folder) throws IOException {
            this.folder = Files.createDirectories(folder);
            this.sites = new Sites(folder);
            Path rights = folder.resolve("rights.yaml");
            Files.writeString(rights, "others: {rights: [append, restore, prune]}\n");
            sites.serveWith("--rights", rights.toString(), "--timeout", "5", "--connections-per-client", "64");
            sites.startAgent();
            this.image = folder.resolve("vm.img");
            Sites.random(image, new Random(1), 3 << 20);
            run(sites.port(), "backup", image.toString(), "--name", "vm");
            for (String exchange : EXCHANGES) {
                measure(exchange);
            }
        }

        private void measure(String exchange) throws IOException {
            try (HangingRelay relay = relay(true, NEVER)) {
                run(relay.port(), words(exchange));
                for (boolean fromClient : new boolean[] {true, false}) {
                    for (int record = 0; record < relay.records(fromClient); record++) {
                        steps.add(new Step(exchange, fromClient, record));
                    }
                }
            }
        }

        private void run(int port, String... words) {
            HostileSite.run(sites.wordsThrough(port, words));
        }

        HangingRelay relay(boolean fromClient, int passed) throws IOException {
            return new HangingRelay(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), sites.port()), fromClient, passed);
        }

        String[] words(String exchange) {
            int number = numbers.incrementAndGet();
            return switch (exchange) {
                case "backup" -> new String[] {"backup", image.toString(), "--name", "vm" + number};
                case "restore" ->
                    new String[] {
                        "restore",
                        "vm@1",
                        "--to",
                        folder.resolve("restored" + number).toString()
                    };
                case "verify" -> new String[] {"verify", "vm@1"};
                case "prune" -> new String[] {"prune", "vm", "--keep-last", "1"};
                case "gc" -> new String[] {"gc", "--dry-run"};
                default -> new String[] {exchange};
            };
        }

        @Override
        public void close() throws IOException {
            sites.close();
        }
    }

    private record Hanging(Site site) implements Worker {

        private static final int STRIDE = 1009;

        @Override
        public int attempt(long number, long seed, Tally tally) throws Exception {
            // The stride is a prime, so every record has its turn before any has another.
            Step step = site.steps.get((int) (number * STRIDE % site.steps.size()));
            Optional<String> outcome = once(step);
            while (outcome.isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(200); // Another's collection ends when the agent gives its client up.
                outcome = once(step);
            }
            tally.count(step.exchange() + " " + outcome.get());
            return 1;
        }

        /** What came of it; empty if another was in the way. */
        private Optional<String> once(Step step) throws IOException {
            try (HangingRelay relay = site.relay(step.fromClient(), step.record())) {
                String[] words = site.sites
                        .wordsThrough(relay.port(), site.words(step.exchange()))
                        .toArray(String[]::new);
                ThreadOutput.take();
                long startNs = System.nanoTime();
                int exitCode = ShredderBackupMain.run(words);
                String said = ThreadOutput.take();
                if (said.contains("another collection is under way")) {
                    return Optional.empty();
                }
                check(System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(MOST_SECONDS), step, "it took too long");
                if (exitCode == 0) {
                    return Optional.of("was done all the same"); // Only its last words were lost.
                }
                check(relay.hangs(), step, said);
                checkOneLine(step, relay.port(), said);
                return Optional.of("ended with a line");
            }
        }

        private static void checkOneLine(Step step, int port, String said) {
            List<String> errors = said.lines()
                    .filter(line -> line.startsWith("shredder-backup: "))
                    .toList();
            check(errors.size() == 1 && !said.contains("\tat "), step, said);
            String error = errors.get(0);
            check(
                    error.contains("agent 127.0.0.1:" + port)
                            && REASON.matcher(error).find()
                            && REMEDY.matcher(error).find(),
                    step,
                    said);
        }

        private static void check(boolean holds, Step step, String said) {
            if (!holds) {
                throw new AssertionError(step + ": " + said);
            }
        }

        @Override
        public void close() {}
    }
}
