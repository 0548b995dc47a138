// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.server.restore.RestoreSession;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.targets.DiscardTarget;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a restore makes of a line of 20 MB/s with a round trip of 150 ms, by the round trips that it needs one after the
 * other. On a line it takes at most the time of these and of its bytes, one after the other, if both ends keep up.
 * Whether they do is for {@code ./run bench link}.
 *
 * <p>Answers take longer here, which changes nothing: the client's window is the largest from a round trip of 34 ms on.
 */
class LongLinkIT {

    private static final double ROUND_TRIP_S = 0.15;
    private static final double BYTES_PER_SECOND = 20e6;
    private static final double SHARE = 0.8;

    /** So long that the first round trips and the last, some more or less by the key, are not most of all. */
    private static final int IMAGE_BYTES = 128 << 20;

    /** 11: what the share leaves beside the time of the bytes. One chunk after another, it would be some thousands. */
    private static final int MOST_ROUNDS =
            (int) ((IMAGE_BYTES / (SHARE * BYTES_PER_SECOND) - IMAGE_BYTES / BYTES_PER_SECOND) / ROUND_TRIP_S);

    /** The list, then as many chunks as may be under way: docs/formats/wire.md, section 2. */
    private static final int LEAST_ROUNDS = 1 + IMAGE_BYTES / (32 << 20);

    @TempDir
    private Path folder;

    @InTurn(days = 3)
    @Test
    void aRestoreNeedsSoFewRoundTripsThatItUsesFourFifthsOfALineWithOneOf150Milliseconds() throws IOException {
        try (Sites sites = new Sites(folder)) {
            sites.startAgent();
            Path image = folder.resolve("image");
            Sites.random(image, new Random(1), IMAGE_BYTES);
            assertThat(sites.here("backup", image.toString(), "--name", "vm").exitCode())
                    .isZero();
            assertThat(roundsOfRestore(sites)).isBetween(LEAST_ROUNDS, MOST_ROUNDS);
        }
    }

    /** From the first request for the list to the last chunk proved. */
    private static int roundsOfRestore(Sites sites) throws IOException {
        InetSocketAddress agent = new InetSocketAddress(InetAddress.getLoopbackAddress(), sites.port());
        try (RoundTrips line = new RoundTrips(agent);
                AgentClient client = sites.connect(line.port());
                DiscardTarget nowhere = new DiscardTarget()) {
            SnapshotInfo snapshot = SnapshotChoice.parse("vm").find(client);
            int before = line.count();
            new RestoreSession(client, sites.key(), new Cores(1)).run(snapshot, nowhere);
            int rounds = line.count() - before;
            System.out.println("restored " + IMAGE_BYTES + " bytes in " + rounds + " round trips");
            return rounds;
        }
    }
}
