// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.trust;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.WireFormat;
import io.shredder.it.process.Children;
import io.shredder.it.process.Condition;
import io.shredder.it.process.ProcessMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Connections of one certificate that ask for much and never take it, all of which the agent was told to let in, and
 * beside them clients that back up and read again at full speed.
 */
public final class Crowd {
    /** Of one certificate. */
    public static final int UNREAD = 1000;

    /** Each of a certificate of its own. */
    public static final int HONEST = 64;

    private static final Duration GATHERING = Duration.ofMinutes(1);
    private static final int REQUESTS_EACH = 300;
    private static final int REGIONS = 8;
    private static final int REGION_BYTES = 200_000;
    private static final String CROWD = "crowd";

    private final Path root;
    private final Path folder;
    private final Children children;
    private final Duration time;

    /**
     * What was seen.
     *
     * @param liveHeapBytes the most that was used of the agent's heap after a collection of garbage
     * @param mostResidentBytes of its process
     * @param leastBackups of an honest client
     * @param backups of all honest clients together
     * @param threads that the agent had at least meanwhile, one for each connection
     */
    public record Seen(long liveHeapBytes, long mostResidentBytes, int leastBackups, int backups, int threads) {}

    /** For so long; in a folder of its own. */
    public Crowd(Path root, Path folder, Duration time, Children children) {
        this.root = root;
        this.folder = folder;
        this.time = time;
        this.children = children;
    }

    /** Fails if a client isn't served, or anything is lost. */
    public Seen run(long seed) throws IOException, InterruptedException {
        List<String> clients = new ArrayList<>(
                IntStream.range(0, HONEST).mapToObj(i -> "honest" + i).toList());
        clients.add(CROWD);
        int places = UNREAD + 2 * HONEST;
        List<String> options =
                List.of("--connections", String.valueOf(places), "--connections-per-client", String.valueOf(UNREAD));
        try (TrustSite site =
                new TrustSite(root, folder, clients, "others: {rights: [append, restore]}\n", options, children)) {
            List<UnreadClient> crowd = new ArrayList<>();
            try {
                gather(site, crowd, new Random(seed));
                return beside(site, seed);
            } finally {
                for (UnreadClient client : crowd) {
                    client.close();
                }
            }
        }
    }

    private static void gather(TrustSite site, List<UnreadClient> crowd, Random random)
            throws IOException, InterruptedException {
        StoredRegion region;
        try (AgentClient agent = site.connect(CROWD)) {
            HonestClient client = new HonestClient(agent, random, WireFormat.MAX_FETCH_BYTES);
            region = client.newRegion();
            client.put(region);
        }
        var sockets = UnreadClient.sockets(site.tls(CROWD));
        for (int i = 0; i < UNREAD; i++) {
            crowd.add(new UnreadClient(sockets, site.port()));
        }
        // All are let in before the first asks: whoever comes later finds no memory of their name's left, and is
        // closed.
        long pid = site.agent().pid();
        Condition.await(
                "the crowd to be let in", GATHERING, List.of(site.agent()), () -> ProcessMemory.threads(pid) > UNREAD);
        for (UnreadClient client : crowd) {
            for (int request = 1; request <= REQUESTS_EACH; request++) {
                client.send(
                        request,
                        request % 2 == 0
                                ? new Request.Fetch(region.first().fingerprint())
                                : new Request.FetchMany(WireFormat.MAX_FETCH_BYTES, region.fingerprints()));
            }
        }
    }

    private Seen beside(TrustSite site, long seed) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + time.toNanos();
        ExecutorService threads = Executors.newFixedThreadPool(HONEST);
        try {
            List<Future<Integer>> honest = new ArrayList<>();
            for (int i = 0; i < HONEST; i++) {
                String name = "honest" + i;
                Random random = new Random(seed + i);
                honest.add(threads.submit(() -> serve(site, name, random, endNs)));
            }
            long live = 0;
            int threadsOfAgent = Integer.MAX_VALUE;
            while (System.nanoTime() < endNs) {
                threadsOfAgent = Math.min(
                        threadsOfAgent, ProcessMemory.threads(site.agent().pid()));
                live = Math.max(live, ProcessMemory.liveHeapBytes(site.agent().pid()));
                TimeUnit.SECONDS.sleep(2);
            }
            int least = Integer.MAX_VALUE;
            int all = 0;
            for (Future<Integer> one : honest) {
                int backups = one.get();
                least = Math.min(least, backups);
                all += backups;
            }
            long resident = ProcessMemory.mostResidentBytes(site.agent().pid());
            return new Seen(live, resident, least, all, threadsOfAgent);
        } catch (ExecutionException e) {
            throw new IOException("an honest client was not served: " + e.getCause(), e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private static int serve(TrustSite site, String name, Random random, long endNs) throws IOException {
        int backups = 0;
        do {
            try (AgentClient agent = site.connect(name)) {
                HonestClient client = new HonestClient(agent, random, REGION_BYTES);
                client.checkIsThere(client.backUp(REGIONS));
                backups++;
            }
        } while (System.nanoTime() < endNs);
        return backups;
    }
}
