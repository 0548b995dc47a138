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
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;

/**
 * How fast an image is restored over a long way, beside the same line without delay.
 *
 * @param mib length of the image
 * @param roundTripMs of the long way
 * @param megabitsPerSecond bandwidth of either, in millions of bits a second
 */
public record LinkBench(int mib, int roundTripMs, int megabitsPerSecond) {
    private static final double NEEDED_SHARE = 0.8;

    /** Measures and prints; returns whether the long way gives enough. */
    public boolean run() throws IOException {
        Logging.setUp("ERROR");
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
            return far >= NEEDED_SHARE * near;
        } finally {
            Folders.delete(folder);
        }
    }

    /** Millions of image bytes a second, from the first request for the list to the last chunk proved. */
    private static double megabytesPerSecond(Sites sites, int roundTripMs, long bytesPerSecond) throws IOException {
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
