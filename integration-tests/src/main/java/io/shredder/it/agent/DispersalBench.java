// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.agent;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.command.Logging;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.Sites;
import io.shredder.backup.server.restore.RestoreSession;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.targets.DiscardTarget;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Medians;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Backups and restores through an agent whose store is dispersed over 4 + 2 keepers, processes of this machine asked
 * over TLS, beside those through an agent that keeps all in one folder, and one whose keepers are folders. All share
 * this machine's processors, so a ratio tells what the coding and six more TLS connections take, not what six disks
 * give.
 *
 * @param mib length of the image
 * @param rounds of restores in each state, of which the median counts
 * @param warmUpS seconds of restores before those
 */
public record DispersalBench(int mib, int rounds, int warmUpS) {
    private static final int DATA = 4;
    private static final int PARITY = 2;
    private static final int TIMES_SLOWER = 100;

    /** A keeper here answers in about a third of a millisecond. */
    private static final int SLOW_ROUND_TRIP_MS = 33;

    /**
     * Of restores.
     *
     * @param rate millions of image bytes a second
     * @param client CPU seconds for each 10^9 image bytes, of the process that restores
     * @param agent the same of the agent
     * @param keepers the same of all keepers together
     */
    public record Restores(double rate, double client, double agent, double keepers) {}

    /**
     * What was measured.
     *
     * @param plainBackup millions of image bytes a second, of an agent with one folder
     * @param backup the same over keepers
     * @param local restores from keepers that are folders
     * @param degraded restores with as many keepers dead as there is parity
     * @param slowed restores with a keeper that holds data behind a line that is 100 times slower than it
     */
    public record Rates(
            double plainBackup,
            double backup,
            Restores plain,
            Restores local,
            Restores all,
            Restores degraded,
            Restores slowed) {}

    /** Measures. */
    public Rates run() throws IOException, InterruptedException {
        Logging.setUp("ERROR");
        Path folder = Files.createTempDirectory("dispersal");
        Path image = folder.resolve("image");
        Path many = Files.createDirectory(folder.resolve("many"));
        try (Sites plain = sitesAt(Files.createDirectory(folder.resolve("one")));
                Sites local = sitesAt(Files.createDirectory(folder.resolve("local")));
                Sites dispersed = sitesAt(many);
                KeeperProcesses keepers = new KeeperProcesses(dispersed, many, DATA, PARITY)) {
            Sites.random(image, new Random(1), (long) mib << 20);
            plain.startAgent();
            local.serveWith("--store", "disperse:" + folders(folder.resolve("local")));
            local.startAgent();
            serve(dispersed, many, keepers.list(keepers.ports()));
            double plainBackup = backup(plain, image);
            double backup = backup(dispersed, image);
            backup(local, image);
            Restores alone = warmRestores(plain, keepers);
            Restores folders = warmRestores(local, keepers);
            Restores all = warmRestores(dispersed, keepers);
            Restores slowed = slowed(dispersed, many, keepers, all.rate());
            serveAgain(dispersed, many, keepers.list(keepers.ports()));
            for (int i = 0; i < PARITY; i++) {
                keepers.kill(i);
            }
            Restores degraded = warmRestores(dispersed, keepers);
            return new Rates(plainBackup, backup, alone, folders, all, degraded, slowed);
        } finally {
            Folders.delete(folder);
        }
    }

    /** The file that names folders of this machine as keepers. */
    private static Path folders(Path folder) throws IOException {
        List<String> homes = new ArrayList<>();
        for (int i = 0; i < DATA + PARITY; i++) {
            homes.add(Files.createDirectory(folder.resolve("keeper" + i)).toString());
        }
        return KeeperProcesses.list(folder, DATA, PARITY, homes);
    }

    private static Sites sitesAt(Path folder) throws IOException {
        Sites sites = new Sites(folder);
        sites.startAsInstalled();
        return sites;
    }

    private static void serve(Sites sites, Path folder, Path list) throws IOException {
        Path certs = folder.resolve("certs");
        sites.serveWith(
                "--store",
                "disperse:" + list,
                "--keeper-cert",
                certs.resolve("client-agent1.crt").toString(),
                "--keeper-key",
                certs.resolve("client-agent1.key").toString(),
                "--keeper-ca",
                certs.resolve("ca.crt").toString());
        sites.startAgent();
    }

    private static void serveAgain(Sites sites, Path folder, Path list) throws IOException {
        sites.stopAgent();
        serve(sites, folder, list);
    }

    /** With keeper 1 behind a line of its own. */
    private Restores slowed(Sites sites, Path folder, KeeperProcesses keepers, double quick) throws IOException {
        InetSocketAddress keeper = new InetSocketAddress(InetAddress.getLoopbackAddress(), keepers.port(1));
        long bytesPerSecond = (long) (quick * 1e6 / DATA / TIMES_SLOWER);
        try (LongLink line = new LongLink(keeper, SLOW_ROUND_TRIP_MS, bytesPerSecond)) {
            List<Integer> ports = new ArrayList<>(keepers.ports());
            ports.set(1, line.port());
            serveAgain(sites, folder, keepers.list(ports));
            return warmRestores(sites, keepers);
        }
    }

    private double backup(Sites sites, Path image) throws IOException {
        long startNs = System.nanoTime();
        Sites.Result result = sites.here("backup", image.toString(), "--name", "vm");
        if (result.exitCode() != 0) {
            throw new IOException(result.err());
        }
        return rate((long) mib << 20, startNs);
    }

    private static double rate(long bytes, long startNs) {
        return bytes / 1e6 / ((System.nanoTime() - startNs) / 1e9);
    }

    /** After those that only warm up: a process that began a moment ago mostly compiles. */
    private Restores warmRestores(Sites sites, KeeperProcesses keepers) throws IOException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(warmUpS);
        do {
            restores(sites, keepers);
        } while (System.nanoTime() < endNs);
        return restores(sites, keepers);
    }

    private Restores restores(Sites sites, KeeperProcesses keepers) throws IOException {
        RepositoryKey key = sites.key();
        ProcessHandle agent = ProcessHandle.of(sites.agentPid()).orElseThrow();
        List<Double> rates = new ArrayList<>();
        double client = -cpuSeconds(ProcessHandle.current());
        double agents = -cpuSeconds(agent);
        double keepersCpu = -keepers.cpuSeconds();
        for (int i = 0; i < rounds; i++) {
            try (AgentClient connected = sites.connect(sites.port());
                    DiscardTarget nowhere = new DiscardTarget()) {
                SnapshotInfo snapshot = SnapshotChoice.parse("vm").find(connected);
                long startNs = System.nanoTime();
                new RestoreSession(connected, key, Cores.all()).run(snapshot, nowhere);
                rates.add(rate(snapshot.imageBytes(), startNs));
            }
        }
        client += cpuSeconds(ProcessHandle.current());
        agents += cpuSeconds(agent);
        keepersCpu += keepers.cpuSeconds();
        double times = 1e9 / ((double) rounds * ((long) mib << 20));
        return new Restores(Medians.of(rates), times * client, times * agents, times * keepersCpu);
    }

    /** What a process has used so far. */
    static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }
}
