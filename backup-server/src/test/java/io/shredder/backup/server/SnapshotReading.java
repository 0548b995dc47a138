// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.RepositoryLife.Snapshot;
import io.shredder.backup.server.RepositoryLife.State;
import io.shredder.backup.server.cli.option.TrustedChoice;
import io.shredder.backup.server.restore.RestoreSession;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.targets.PipeTarget;
import io.shredder.backup.server.trust.CheckedListing;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Restores as {@code restore} does, and compares with what was backed up. Whatever the agent says, other bytes are a
 * failure of the product.
 */
final class SnapshotReading {

    private final RepositoryKey key;
    private final KnownCommits known;

    SnapshotReading(RepositoryKey key, KnownCommits known) {
        this.key = key;
        this.known = known;
    }

    /**
     * Restores a snapshot by its id.
     *
     * @throws IOException what {@code restore} would say
     */
    void checkRestores(AgentClient agent, Snapshot snapshot) throws IOException {
        ProvedSnapshot found = new TrustedChoice(agent, key, known)
                .find(new SnapshotChoice(snapshot.series(), OptionalLong.of(snapshot.id())));
        if (!Arrays.equals(restore(agent, found), snapshot.image())) {
            throw new AssertionError(snapshot.series() + "@" + snapshot.id() + " restores to other bytes");
        }
    }

    private byte[] restore(AgentClient agent, ProvedSnapshot snapshot) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PipeTarget target = new PipeTarget(Channels.newChannel(bytes))) {
            new RestoreSession(agent, key, Cores.all()).run(snapshot.info(), target);
        }
        return bytes.toByteArray();
    }

    /**
     * Looks for the latest snapshot of a series.
     *
     * @param truth what there should be
     * @throws IOException what {@code restore} would say
     */
    void checkLatest(AgentClient agent, String client, SnapshotName series, State truth) throws IOException {
        long latest = latest(client, series, truth);
        ProvedSnapshot found =
                new TrustedChoice(agent, key, known).find(new SnapshotChoice(series, OptionalLong.empty()));
        if (found.info().id() != latest) {
            throw new AssertionError(
                    series + "@" + found.info().id() + " passes for the latest, which is " + series + "@" + latest);
        }
    }

    private static long latest(String client, SnapshotName series, State truth) {
        return truth.snapshots().values().stream()
                .filter(snapshot ->
                        snapshot.client().equals(client) && snapshot.series().equals(series))
                .mapToLong(Snapshot::id)
                .max()
                .orElseThrow();
    }

    /**
     * Lists everything, as who copies or prunes all.
     *
     * @param truth what there should be
     * @throws IOException what they would say
     */
    void checkAll(AgentClient agent, String client, State truth) throws IOException {
        CheckedListing listing = CheckedListing.of(agent, key, known);
        for (Snapshot snapshot : truth.snapshots().values()) {
            SnapshotName series = snapshot.series();
            if (snapshot.client().equals(client) && !listing.alarms().containsKey(series)) {
                assertThat(listing.series()).as("what the site has seen").containsKey(series);
                assertThat(listing.series()
                                .get(series)
                                .last()
                                .orElseThrow()
                                .info()
                                .id())
                        .as("what passes for the latest of " + series)
                        .isEqualTo(latest(client, series, truth));
            }
        }
    }
}
