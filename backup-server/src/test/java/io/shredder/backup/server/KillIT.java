// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of either side at random moments of a backup, again and again on one repository. What was committed stays and restores bit
 * for bit, what was not is absent or whole, and the next backup succeeds. More rounds with {@code -Dkill.rounds=N}.
 */
class KillIT {

    private static final int IMAGE_BYTES = 48 << 20;

    @TempDir
    private Path folder;

    private final Map<String, String> imageDigests = new HashMap<>();
    private final Set<String> committed = new HashSet<>();

    @Test
    void killingEitherSideAtAnyMomentLosesNoCommittedSnapshot() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed " + seed + " (again with -Dseed=" + seed + ")");
        Random random = new Random(seed);
        int rounds = Integer.getInteger("kill.rounds", 4);
        try (Sites sites = new Sites(folder)) {
            sites.startAgent();
            long fullMs = backUpWhole(sites, "r0", random);
            for (int round = 1; round <= rounds; round++) {
                killDuringBackup(sites, "r" + round, random, fullMs);
                assertEverythingCommittedIsThere(sites);
                Sites.Result again = sites.here("backup", image("r" + round).toString(), "--name", "r" + round);
                assertThat(again.exitCode()).as(again.err()).isZero();
                committed.add("r" + round);
                assertRestores(sites, "r" + round);
                Files.delete(image("r" + round));
            }
            for (String name : committed) {
                assertRestores(sites, name);
            }
            assertThat(sites.here("verify").out()).contains("all good");
            assertThat(sites.repository().resolve("incoming")).isEmptyDirectory();
        }
    }

    private Path image(String name) {
        return folder.resolve(name + ".img");
    }

    /** Each image shares half of its bytes with the one before, so that backups both send and point. */
    private void makeImage(String name, Random random) throws IOException {
        byte[] bytes = new byte[IMAGE_BYTES];
        new Random(random.nextInt(4)).nextBytes(bytes);
        byte[] fresh = new byte[IMAGE_BYTES / 2];
        random.nextBytes(fresh);
        System.arraycopy(fresh, 0, bytes, random.nextInt(IMAGE_BYTES / 2), fresh.length);
        Files.write(image(name), bytes);
        imageDigests.put(name, Sites.sha256(image(name)));
    }

    /** Returns how long the backup took from the moment when the agent began to receive it. */
    private long backUpWhole(Sites sites, String name, Random random) throws IOException {
        makeImage(name, random);
        Process server = sites.startServer("backup", image(name).toString(), "--name", name);
        awaitDraft(sites, server);
        long startNs = System.nanoTime();
        assertThat(Sites.awaitExit(server, 120_000)).isTrue();
        assertThat(server.exitValue()).isZero();
        committed.add(name);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }

    private static void awaitDraft(Sites sites, Process server) throws IOException {
        Path incoming = sites.repository().resolve("incoming");
        while (incoming.toFile().list().length == 0 && !Sites.awaitExit(server, 1)) {
            Thread.onSpinWait();
        }
    }

    private void killDuringBackup(Sites sites, String name, Random random, long fullMs) throws IOException {
        makeImage(name, random);
        Process server = sites.startServer("backup", image(name).toString(), "--name", name);
        if (random.nextInt(8) > 0) {
            awaitDraft(sites, server); // Else: at any moment, connecting included.
        }
        long momentMs = Math.round(fullMs * 0.7 * random.nextDouble());
        boolean ended = Sites.awaitExit(server, momentMs);
        boolean killAgent = random.nextBoolean();
        System.out.println(name + ": kill the " + (killAgent ? "agent" : "server") + " after " + momentMs + " ms"
                + (ended ? ", the backup had ended" : ""));
        if (killAgent) {
            sites.killAgent();
            assertThat(Sites.awaitExit(server, 120_000)).isTrue();
            sites.startAgent();
        } else {
            server.destroyForcibly();
            assertThat(Sites.awaitExit(server, 120_000)).isTrue();
        }
        if (server.exitValue() == 0) {
            committed.add(name);
        }
    }

    private void assertEverythingCommittedIsThere(Sites sites) throws IOException {
        Sites.Result list = sites.here("list", "--json");
        assertThat(list.exitCode()).as(list.err()).isZero();
        Set<String> listed = new HashSet<>();
        for (JsonNode snapshot : new ObjectMapper().readTree(list.out()).get("snapshots")) {
            listed.add(snapshot.get("name").asText());
        }
        assertThat(listed).containsAll(committed);
        listed.removeAll(committed);
        for (String publishedAsItWasKilled : listed) {
            assertRestores(sites, publishedAsItWasKilled);
        }
    }

    private void assertRestores(Sites sites, String name) throws IOException {
        Path to = folder.resolve("restored");
        Sites.Result result = sites.here("restore", name, "--to", to.toString(), "--force");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(Sites.sha256(to)).as(name).isEqualTo(imageDigests.get(name));
    }
}
