// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.ChunkCodec;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.KeyId;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Clients of one agent, each with a certificate and a connection of its own, that put regions which nobody has and
 * commit a snapshot of every {@value #REGIONS} of them, as fast as the agent takes them. They cut, compress and seal
 * nothing: it is the agent that is measured, once as much as {@value #WARM_UP_REGIONS} regions has been put. A program
 * by itself, which prints one line of JSON: {@code bytes} of each client, and {@code seconds}.
 */
public final class PuttingClients {
    private static final SnapshotName SERIES = new SnapshotName("disk");
    private static final int REGION_BYTES = 256 << 10;
    private static final int REGIONS = 64;
    private static final int OUTSTANDING = 16;
    /** Of all clients together, before they are measured. */
    private static final int WARM_UP_REGIONS = 4096;

    /** Within which all must be let in. */
    private static final long CONNECTING_SECONDS = 60;

    private final Path certificates;
    private final int port;
    private final long endAfterNs;
    private final long mostBytes;
    private final LongAdder all = new LongAdder();

    private PuttingClients(Path certificates, int port, double seconds, long mostBytes) {
        this.certificates = certificates;
        this.port = port;
        this.endAfterNs = (long) (seconds * 1e9);
        this.mostBytes = mostBytes;
    }

    /**
     * Puts, and prints what came of it.
     *
     * @param args folder of certificates, port, how many clients, seconds, bytes after which it ends sooner
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        var clients = new PuttingClients(
                Path.of(args[0]), Integer.parseInt(args[1]), Double.parseDouble(args[3]), Long.parseLong(args[4]));
        System.out.println(clients.run(Integer.parseInt(args[2])));
    }

    /** Name of a client's certificate. */
    static String name(int client) {
        return "client" + client;
    }

    private String run(int count) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        var together = new CyclicBarrier(count, all::reset);
        try {
            List<Future<Put>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                running.add(threads.submit((Callable<Put>) () -> put(number, together)));
            }
            var bytes = new ArrayList<Long>();
            double seconds = 0;
            for (Future<Put> one : running) {
                Put put = one.get();
                bytes.add(put.bytes());
                seconds = Math.max(seconds, put.seconds());
            }
            return new ObjectMapper().writeValueAsString(Map.of("bytes", bytes, "seconds", seconds));
        } catch (ExecutionException e) {
            throw new IOException("a client was not served: " + e.getCause(), e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private record Put(long bytes, double seconds) {}

    private Put put(int number, CyclicBarrier together)
            throws IOException, InterruptedException, BrokenBarrierException, TimeoutException {
        var tls = new TlsFiles(
                certificates.resolve("client-" + name(number) + ".crt"),
                certificates.resolve("client-" + name(number) + ".key"),
                certificates.resolve("ca.crt"));
        try (AgentClient agent = AgentClient.connect(new HostPort("127.0.0.1", port), tls)) {
            var random = new Random(number);
            byte[] content = new byte[REGION_BYTES + RegionFormat.SEAL_BYTES];
            random.nextBytes(content);
            warmUp(agent, content, random, together.getParties());
            together.await(CONNECTING_SECONDS, TimeUnit.SECONDS);
            long startNs = System.nanoTime();
            long bytes = 0;
            while (!isOver(startNs)) {
                bytes += snapshot(agent, content, random, startNs);
            }
            return new Put(bytes, (System.nanoTime() - startNs) / 1e9);
        }
    }

    /** What is compiled, and memory that is touched, for the first time would be measured otherwise. */
    private void warmUp(AgentClient agent, byte[] content, Random random, int clients) throws IOException {
        for (int put = 0; put < WARM_UP_REGIONS / clients; put += REGIONS) {
            var unused = snapshot(agent, content, random, System.nanoTime());
        }
    }

    private boolean isOver(long startNs) {
        return System.nanoTime() - startNs > endAfterNs || all.sum() >= mostBytes;
    }

    /** Fewer regions if the time is over. */
    private long snapshot(AgentClient agent, byte[] content, Random random, long startNs) throws IOException {
        var seal = new SnapshotSeal(new KeyId(1, 2), new UUID(random.nextLong(), random.nextLong()));
        agent.begin(SERIES, seal, Request.Begin.UNKNOWN_LENGTH);
        var references = new TreeSet<Fingerprint>();
        var outstanding = new ArrayDeque<CompletableFuture<Void>>();
        while (references.isEmpty() || (references.size() < REGIONS && !isOver(startNs))) {
            StoredRegion region = region(content, random);
            references.addAll(region.fingerprints());
            outstanding.add(agent.put(region));
            if (outstanding.size() > OUTSTANDING) {
                Answers.await(outstanding.remove());
                all.add(REGION_BYTES);
            }
        }
        while (!outstanding.isEmpty()) {
            Answers.await(outstanding.remove());
            all.add(REGION_BYTES);
        }
        var page = new ListPage(0, List.copyOf(references), new SealedBytes(new byte[references.size() * 6 + 16]));
        Answers.await(agent.append(page));
        var digest = new ContentDigest(seal);
        digest.add(page);
        long bytes = (long) references.size() * REGION_BYTES;
        agent.commit(bytes, references.size(), digest.finish(), new SealedBytes(new byte[40]));
        return bytes;
    }

    /**
     * A chunk by itself under a random identity; its bytes differ from all others' in their first few. They are the
     * content's own, which is the next region's once this one has been put: with a copy of each, the clients' garbage
     * would be measured.
     */
    private static StoredRegion region(byte[] content, Random random) {
        byte[] identity = new byte[Fingerprint.BYTES];
        random.nextBytes(identity);
        System.arraycopy(identity, 0, content, 0, identity.length);
        var chunk = new ChunkRef(REGION_BYTES, Fingerprint.of(identity));
        return new StoredRegion(
                List.of(chunk), ChunkCodec.SEALED, StoredRegion.UNDIGESTED, new StoredRegion.Payload(content));
    }
}
