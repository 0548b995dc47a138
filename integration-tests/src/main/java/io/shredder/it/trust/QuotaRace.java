// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.trust;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.it.process.Children;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Clients of one namespace race for its quota: every other tells its image's length before sending, the rest don't. */
public final class QuotaRace {
    /** Each with a certificate of its own. */
    public static final int CLIENTS = 100;

    /** Of the namespace that they share. */
    public static final long QUOTA_BYTES = 96L << 20;

    /** What each sends at once, and so may be beyond the quota. */
    public static final int REGION_BYTES = 256 << 10;

    private static final int REGIONS = 4;
    private static final long SAMPLE_MS = 20;

    private final Path root;
    private final Path folder;
    private final Children children;

    /**
     * What was seen.
     *
     * @param mostBytes that chunks ever took on the agent's disk
     * @param snapshots that were committed, each of which is there whole
     * @param refused how often a client was told that there is no room
     */
    public record Seen(long mostBytes, int snapshots, int refused) {}

    /** In a folder of its own. */
    public QuotaRace(Path root, Path folder, Children children) {
        this.root = root;
        this.folder = folder;
        this.children = children;
    }

    /** Races until every client was refused. */
    public Seen run(long seed) throws IOException, InterruptedException {
        List<String> clients =
                IntStream.range(0, CLIENTS).mapToObj(i -> "client" + i).toList();
        String rights = clients.stream()
                .map(client -> "  " + client + ": {namespace: shared, rights: [append, restore], quota: " + QUOTA_BYTES
                        + "}\n")
                .collect(Collectors.joining("", "clients:\n", ""));
        List<String> options = List.of("--connections", String.valueOf(2 * CLIENTS));
        try (TrustSite site = new TrustSite(root, folder, clients, rights, options, children)) {
            ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
            try {
                List<Future<List<List<StoredRegion>>>> racing = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    String name = clients.get(i);
                    boolean commits = i % 2 == 0;
                    Random random = new Random(seed + i);
                    racing.add(threads.submit(() -> race(site, name, commits, random)));
                }
                return watch(site, racing);
            } finally {
                threads.shutdownNow();
            }
        }
    }

    private static Seen watch(TrustSite site, List<Future<List<List<StoredRegion>>>> racing)
            throws IOException, InterruptedException {
        long most = 0;
        while (!racing.stream().allMatch(Future::isDone)) {
            most = Math.max(most, site.containerBytes());
            TimeUnit.MILLISECONDS.sleep(SAMPLE_MS);
        }
        most = Math.max(most, site.containerBytes());
        int snapshots = 0;
        try (AgentClient agent = site.connect("client0")) {
            HonestClient reader = new HonestClient(agent, new Random(0), REGION_BYTES);
            for (Future<List<List<StoredRegion>>> one : racing) {
                for (List<StoredRegion> committed : one.get()) {
                    reader.checkIsThere(committed);
                    snapshots++;
                }
            }
        } catch (ExecutionException e) {
            throw new IOException("a client was not refused but failed: " + e.getCause(), e.getCause());
        }
        return new Seen(most, snapshots, racing.size());
    }

    /** Returns what was committed before the first refusal. */
    private static List<List<StoredRegion>> race(TrustSite site, String name, boolean commits, Random random)
            throws IOException {
        List<List<StoredRegion>> committed = new ArrayList<>();
        try {
            while (true) {
                try (AgentClient agent = site.connect(name)) {
                    HonestClient client = new HonestClient(agent, random, REGION_BYTES);
                    if (commits) {
                        committed.add(client.backUp(REGIONS));
                    } else {
                        client.put(client.newRegion());
                    }
                }
            }
        } catch (AgentException e) {
            if (e.code() != ErrorCode.QUOTA) {
                throw e;
            }
            return committed;
        }
    }
}
