// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.restore.RestoreSession;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.targets.DiscardTarget;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./run bench link}: how fast an image is restored over a long way, beside the same line without delay. */
@Command(name = "bench link", mixinStandardHelpOptions = true)
final class LinkBenchmark implements java.util.concurrent.Callable<Integer> {

    private static final double NEEDED_SHARE = 0.8;

    @Option(names = "--mib", defaultValue = "512", description = "Length of the image (default: ${DEFAULT-VALUE}).")
    private int mib = 512;

    @Option(names = "--rtt-ms", defaultValue = "150", description = "Round trip (default: ${DEFAULT-VALUE}).")
    private int roundTripMs = 150;

    @Option(
            names = "--mbps",
            defaultValue = "1000",
            description = "Bandwidth of the line, in millions of bits a second (default: ${DEFAULT-VALUE}).")
    private int megabitsPerSecond = 1000;

    private LinkBenchmark() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new LinkBenchmark()).execute(args));
    }

    @Override
    public Integer call() throws IOException {
        Path folder = Files.createTempDirectory("link");
        try (Sites sites = new Sites(folder)) {
            sites.startAgent();
            Path image = folder.resolve("image");
            Sites.random(image, new Random(1), (long) mib << 20);
            Sites.Result backup = sites.here("backup", image.toString(), "--name", "vm");
            if (backup.exitCode() != 0) {
                throw new IOException(backup.err());
            }
            long bytesPerSecond = megabitsPerSecond * 125_000L;
            double near = megabytesPerSecond(sites, 0, bytesPerSecond);
            double far = megabytesPerSecond(sites, roundTripMs, bytesPerSecond);
            System.out.printf(
                    Locale.ROOT,
                    "restore of %d MiB over %d Mbit/s: %.1f MB/s without delay, %.1f MB/s with a round trip of %d ms:"
                            + " %.0f %%, needed 80 %%%n",
                    mib,
                    megabitsPerSecond,
                    near,
                    far,
                    roundTripMs,
                    100 * far / near);
            return far >= NEEDED_SHARE * near ? 0 : 1;
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
            }
        }
    }

    /** Millions of image bytes a second, from the first request for the list to the last chunk proved. */
    static double megabytesPerSecond(Sites sites, int roundTripMs, long bytesPerSecond) throws IOException {
        RepositoryKey key = sites.key();
        InetSocketAddress agent = new InetSocketAddress(InetAddress.getLoopbackAddress(), sites.port());
        try (LongLink link = new LongLink(agent, roundTripMs, bytesPerSecond);
                AgentClient client = sites.connect(link.port());
                DiscardTarget nowhere = new DiscardTarget()) {
            SnapshotInfo snapshot = SnapshotChoice.parse("vm").find(client);
            long startNs = System.nanoTime();
            new RestoreSession(client, key, Cores.all()).run(snapshot, nowhere);
            return snapshot.imageBytes() / 1e6 / ((System.nanoTime() - startNs) / 1e9);
        }
    }
}
