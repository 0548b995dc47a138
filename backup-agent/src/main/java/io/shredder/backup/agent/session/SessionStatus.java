// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.snapshot.SnapshotName;
import java.time.Instant;
import java.util.Optional;

/**
 * How a client's session stands.
 *
 * @param client the CN of its certificate
 * @param namespace whose snapshots it sees
 * @param from address and port of the client
 * @param since when it is connected
 * @param task what its last request was for; empty before the first
 * @param series of the snapshot that it has begun and not committed
 * @param lastRequest when it asked last
 * @param progress what went to and fro since then
 */
public record SessionStatus(
        SnapshotName client,
        SnapshotName namespace,
        String from,
        Instant since,
        Optional<Task> task,
        Optional<SnapshotName> series,
        Optional<Instant> lastRequest,
        Progress progress) {

    /** What requests are for. */
    public enum Task {
        BACKUP,
        READ,
        VERIFY,
        COLLECT,
        DELETE,
        LIST
    }

    /**
     * What went to and fro.
     *
     * @param requests how many were taken up
     * @param receivedBytes of their bodies
     * @param answeredBytes of the answers' bodies
     */
    public record Progress(long requests, long receivedBytes, long answeredBytes) {}
}
