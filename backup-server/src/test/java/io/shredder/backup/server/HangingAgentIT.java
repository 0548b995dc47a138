// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.server.Sites.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The way to the agent, or the agent, hangs at every step of every exchange: the command ends within its limit, with one line. */
@Timeout(600)
class HangingAgentIT {

    /** They wait for most of the time. */
    private static final int THREADS = 24;

    private static final int NEVER = Integer.MAX_VALUE;
    /** Of each direction of each exchange; all but the longest have no more with SHREDDER_LONG_TESTS=1. */
    private static final int MOST_STEPS = "1".equals(System.getenv("SHREDDER_LONG_TESTS")) ? 16 : 5;
    /** Far above the limit of silence, far below the time of a test that waits for ever. */
    private static final long MOST_SECONDS = 60;

    @TempDir
    private Path folder;

    private final AtomicInteger numbers = new AtomicInteger();
    private Sites sites;
    private Path image;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        Path rights = folder.resolve("rights.yaml");
        Files.writeString(rights, "others: {rights: [append, restore, prune]}\n");
        sites.serveWith("--rights", rights.toString(), "--timeout", "5", "--connections-per-client", "64");
        sites.startAgent();
        image = folder.resolve("vm.img");
        Sites.random(image, new Random(1), 3 << 20);
        assertThat(sites.here("backup", image.toString(), "--name", "vm").err()).isEmpty();
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private String[] words(String exchange) {
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

    @ParameterizedTest
    @ValueSource(strings = {"backup", "restore", "verify", "prune", "gc", "list"})
    void whereverItHangsTheCommandEndsWithOneLine(String exchange) throws Exception {
        int[] records = new int[2];
        try (HangingRelay relay = relay(true, NEVER)) {
            Result whole = sites.through(relay.port(), words(exchange));
            assertThat(whole.err()).as(exchange).isEmpty();
            records[0] = relay.records(true);
            records[1] = relay.records(false);
        }
        List<Future<Boolean>> steps = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (ThreadOutput output = ThreadOutput.install()) {
            for (boolean fromClient : new boolean[] {true, false}) {
                int all = records[fromClient ? 0 : 1];
                int stride = Math.max(1, (all + MOST_STEPS - 1) / MOST_STEPS);
                for (int step = 0; step < all; step += stride) {
                    int passed = step;
                    steps.add(threads.submit(() -> failsWithOneLine(exchange, fromClient, passed)));
                }
            }
            int failed = 0;
            for (Future<Boolean> step : steps) {
                failed += step.get() ? 1 : 0;
            }
            assertThat(failed).as("of " + steps.size()).isGreaterThan(steps.size() / 2);
        } finally {
            threads.shutdown();
            assertThat(threads.awaitTermination(MOST_SECONDS * 2, TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    private HangingRelay relay(boolean fromClient, int passed) throws IOException {
        return new HangingRelay(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), sites.port()), fromClient, passed);
    }

    /** Another step's collection ends when the agent gives its client up. */
    private boolean failsWithOneLine(String exchange, boolean fromClient, int passed) throws Exception {
        Optional<Boolean> failed = once(exchange, fromClient, passed);
        while (failed.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(200);
            failed = once(exchange, fromClient, passed);
        }
        return failed.get();
    }

    /** Whether the command failed, and not only its last words were lost; empty if another was in the way. */
    private Optional<Boolean> once(String exchange, boolean fromClient, int passed) {
        String what = exchange + ", record " + passed + " of the " + (fromClient ? "client" : "agent");
        try (HangingRelay relay = relay(fromClient, passed)) {
            String[] words = sites.wordsThrough(relay.port(), words(exchange)).toArray(String[]::new);
            ThreadOutput.take();
            long startNs = System.nanoTime();
            int exitCode = ShredderBackupMain.run(words);
            String said = ThreadOutput.take();
            assertThat(System.nanoTime() - startNs).as(what).isLessThan(TimeUnit.SECONDS.toNanos(MOST_SECONDS));
            if (exitCode == 0) {
                return Optional.of(false);
            } else if (said.contains("another collection is under way")) {
                return Optional.empty();
            }
            assertThat(relay.hangs()).as(what + ": " + said).isTrue();
            List<String> errors = said.lines()
                    .filter(line -> line.startsWith("shredder-backup: "))
                    .toList();
            assertThat(errors).as(what + ": " + said).hasSize(1);
            assertThat(errors.get(0))
                    .as(what)
                    .contains("agent 127.0.0.1:" + relay.port())
                    .containsPattern("silent for [0-9]+ s|within [0-9]+ s|handshake|timed out|the client was silent")
                    .containsPattern("run again|run it again|is 'backup-agent serve' running there");
            assertThat(said).as(what).doesNotContain("\tat ");
            return Optional.of(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anAgentThatIsStoppedIsGivenUpAndServesWhenItGoesOn() throws Exception {
        signal("STOP");
        Result stopped = sites.here("list", "--timeout", "2");
        assertThat(stopped.exitCode()).isEqualTo(1);
        assertThat(stopped.err().lines()).hasSize(1);
        assertThat(stopped.err()).contains("agent 127.0.0.1:" + sites.port()).contains("see that it runs");
        signal("CONT");
        assertThat(sites.here("list").err()).isEmpty();
    }

    private void signal(String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(sites.agentPid()))
                        .start()
                        .waitFor())
                .isZero();
    }
}
