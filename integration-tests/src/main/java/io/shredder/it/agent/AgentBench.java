// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.agent;

import io.shredder.backup.Samples;
import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.cli.AgentMain;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.command.Logging;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.it.backup.ProcessorTime;
import io.shredder.it.corpus.Folders;
import io.shredder.it.process.ProcessMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * An agent in a process of its own, over TLS on loopback, and clients that put what is new and fetch and discard it.
 * For each number of clients: bytes a second of all together, the slowest client beside the mean, and what the agent
 * took.
 *
 * @param clients how many at once, one after another
 * @param seconds of each measurement
 * @param regionBytes of what clients put and fetch
 * @param folder where the agents' repositories are made
 * @param options of {@code backup-agent serve} besides
 */
public record AgentBench(List<Integer> clients, int seconds, int regionBytes, Path folder, List<String> options) {

    /** What each client has stored before it fetches, and fetches again and again. */
    private static final int REGIONS = 32;

    private static final int PENDING = 8;

    /** Measures and prints. */
    public void run() throws Exception {
        Logging.setUp("ERROR");
        Path work = Files.createTempDirectory(folder, "bench-agent-");
        try {
            System.out.printf(
                    "%d cores, regions of %d KiB, %d s each%n%-7s %-6s %9s %11s %13s %14s%n",
                    Runtime.getRuntime().availableProcessors(),
                    regionBytes >> 10,
                    seconds,
                    "clients",
                    "what",
                    "MB/s",
                    "worst/mean",
                    "agent's CPU s",
                    "agent's peak MB");
            for (int count : clients) {
                measure(Files.createDirectory(work.resolve("with-" + count)), count);
            }
        } finally {
            Folders.delete(work);
        }
    }

    private void measure(Path place, int count) throws Exception {
        TestCertificates certificates = new TestCertificates(place.resolve("certs"));
        Process agent = launch(place, certificates.agent("127.0.0.1"));
        List<AgentClient> connected = new ArrayList<>();
        try {
            HostPort address = new HostPort("127.0.0.1", awaitPort(agent, place.resolve("port")));
            List<Sender> senders = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                AgentClient client = AgentClient.connect(address, certificates.client("client" + i));
                connected.add(client);
                senders.add(new Sender(client, new Random(i), regionBytes));
            }
            together(senders, sender -> sender.putSome(REGIONS));
            report(agent, count, "put", timed(senders, Sender::putNext));
            report(agent, count, "fetch", timed(senders, Sender::fetchNext));
        } finally {
            for (AgentClient client : connected) {
                client.close();
            }
            agent.destroy();
            agent.waitFor(60, TimeUnit.SECONDS);
            Folders.delete(place);
        }
    }

    private Process launch(Path place, TlsFiles tls) throws IOException {
        List<String> words = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        int cores = Math.min(32, Runtime.getRuntime().availableProcessors());
        words.add("-Xmx" + (368 + 32 * Math.max(0, cores - 2)) + "m"); // As docs/OPERATING-BACKUP.md has it.
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), AgentMain.class.getName(), "serve"));
        words.addAll(List.of("--repo", place.resolve("repo").toString(), "--listen", "127.0.0.1:0"));
        words.addAll(List.of("--port-file", place.resolve("port").toString()));
        words.addAll(List.of(
                "--cert", tls.certificate().toString(), "--key", tls.key().toString()));
        words.addAll(List.of("--ca", tls.authority().toString()));
        words.addAll(options);
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(place.resolve("agent.log").toFile())
                .start();
    }

    private static int awaitPort(Process agent, Path file) throws IOException, InterruptedException {
        while (!Files.exists(file)) {
            if (!agent.isAlive()) {
                throw new IOException("the agent ended with " + agent.exitValue());
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return Integer.parseInt(Files.readString(file).strip());
    }

    /** What a client does again and again. */
    private interface Step {
        /** Returns bytes of regions. */
        long run(Sender sender) throws Exception;
    }

    /** What came of all clients. */
    private record Rates(double megabytes, double worstOfMean) {}

    private Rates timed(List<Sender> senders, Step step) throws Exception {
        AtomicLongArray bytes = new AtomicLongArray(senders.size());
        CountDownLatch ready = new CountDownLatch(senders.size());
        long limitNs = TimeUnit.SECONDS.toNanos(seconds);
        together(senders, sender -> {
            ready.countDown();
            ready.await();
            long end = System.nanoTime() + limitNs;
            while (System.nanoTime() < end) {
                bytes.addAndGet(senders.indexOf(sender), step.run(sender));
            }
            sender.awaitAll();
            return 0;
        });
        long sum = 0;
        long worst = Long.MAX_VALUE;
        for (int i = 0; i < bytes.length(); i++) {
            sum += bytes.get(i);
            worst = Math.min(worst, bytes.get(i));
        }
        return new Rates(sum / 1e6 / seconds, worst * (double) bytes.length() / Math.max(1, sum));
    }

    private static void together(List<Sender> senders, Step step) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(senders.size());
        try {
            List<Callable<Long>> work = new ArrayList<>();
            senders.forEach(sender -> work.add(() -> step.run(sender)));
            for (Future<Long> done : threads.invokeAll(work)) {
                done.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static void report(Process agent, int count, String what, Rates rates) throws IOException {
        System.out.printf(
                Locale.ROOT,
                "%-7d %-6s %9.0f %11.2f %13.1f %14d%n",
                count,
                what,
                rates.megabytes(),
                rates.worstOfMean(),
                ProcessorTime.seconds(agent.pid()),
                ProcessMemory.mostResidentBytes(agent.pid()) / 1_000_000);
    }

    /** One client. One thread. */
    private static final class Sender {
        private final AgentClient client;
        private final byte[] plain;
        private final Queue<CompletableFuture<?>> pending = new ArrayDeque<>();
        private final List<List<ChunkRef>> stored = new ArrayList<>();
        private long next;

        Sender(AgentClient client, Random random, int regionBytes) {
            this.client = client;
            this.plain = Samples.randomBytes(random, regionBytes);
        }

        private void awaitRoom() throws IOException, ExecutionException {
            if (pending.size() >= PENDING) {
                Answers.await(pending.remove());
            }
        }

        long awaitAll() throws IOException {
            while (!pending.isEmpty()) {
                Answers.await(pending.remove());
            }
            return 0;
        }

        private StoredRegion unseen() {
            next++;
            for (int i = 0; i < Long.BYTES; i++) {
                plain[i] = (byte) (next >>> (8 * i));
            }
            return Samples.sealed(plain.clone());
        }

        long putSome(int count) throws Exception {
            for (int i = 0; i < count; i++) {
                StoredRegion region = unseen();
                stored.add(region.chunks());
                awaitRoom();
                pending.add(client.put(region));
            }
            return awaitAll();
        }

        long putNext() throws Exception {
            awaitRoom();
            pending.add(client.put(unseen()));
            return plain.length;
        }

        long fetchNext() throws Exception {
            awaitRoom();
            pending.add(
                    client.fetchMany(stored.get((int) (next++ % stored.size()))).thenAccept(client::giveBack));
            return plain.length;
        }
    }
}
