// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.care.CareSite;
import io.shredder.backup.server.reader.ReaderOptions;
import io.shredder.backup.server.reader.SnapshotReader;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens snapshots to be read where they lie, beside others and beside backups: each takes little. */
final class OpenSnapshots {

    private static final Logger LOG = LoggerFactory.getLogger(OpenSnapshots.class);
    private static final int MOST_CORES = 4;
    private static final long CACHE_BYTES = 32L << 20;

    private OpenSnapshots() {}

    /** One that the key proves, and that is whole; whoever asks closes it. */
    static SnapshotReader open(CareSite site, SnapshotName image, long snapshot) throws IOException {
        RepositoryKey key = site.key();
        AgentClient agent = site.connect();
        try {
            ProvedSnapshot proved = site.find(agent, key, new SnapshotChoice(image, OptionalLong.of(snapshot)));
            WholeSnapshots.check(proved);
            ReaderOptions options = new ReaderOptions(
                    CACHE_BYTES,
                    ReaderOptions.USUAL_READ_AHEAD_BYTES,
                    ReaderOptions.USUAL_PATIENCE,
                    Cores.outsideHeap(OptionalInt.of(MOST_CORES)));
            return new SnapshotReader(agent, site::connect, key, proved.info(), options, LOG::warn);
        } catch (IOException | RuntimeException e) {
            agent.close();
            throw e;
        }
    }
}
