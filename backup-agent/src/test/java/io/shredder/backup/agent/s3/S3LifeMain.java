// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.agent.store.RepositoryIndex;
import io.shredder.backup.agent.store.StorePlace;
import io.shredder.backup.command.Logging;
import io.shredder.backup.region.StoredRegion;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * An agent's repository in an object store, in a process of its own that lives until it is killed: it backs up, deletes
 * and collects, and says on its output what it was promised: {@code committed ID SEED} once a backup is durable,
 * {@code deleting ID} before a deletion.
 */
public final class S3LifeMain {

    /** So small that a backup fills some. */
    static final int CONTAINER_BYTES = 200_000;

    static final int TABLE_ENTRIES = 256;

    /** Of one whose index is made from a store that was another's. */
    static final String TAKES_OVER = "takes-over";

    private static final int MOST_SNAPSHOTS = 4;

    private S3LifeMain() {}

    /** Opens it as this and its tests do. */
    static Repository open(Path folder, String store, URI endpoint) throws IOException {
        return Repository.open(place(folder, store, endpoint), Clock.systemUTC(), CONTAINER_BYTES, TABLE_ENTRIES);
    }

    private static StorePlace place(Path folder, String store, URI endpoint) {
        return new StorePlace(folder, Optional.of(URI.create(store)), S3Server.settings(endpoint));
    }

    /** What a backup of this seed has. Those of neighbouring seeds share much. */
    static List<StoredRegion> regions(long seed) {
        Random random = new Random(seed >> 2);
        List<StoredRegion> all = Samples.inRegions(random, Samples.chunks(random, 120, 8000));
        int from = (int) (seed & 3) * all.size() / 6;
        return all.subList(from, from + all.size() / 2);
    }

    /** Arguments: repository, store, endpoint, seed of the first backup, and {@link #TAKES_OVER} or nothing. */
    public static void main(String[] args) throws IOException {
        Logging.setUp("WARN");
        long seed = Long.parseLong(args[3]);
        Deque<Long> mine = new ArrayDeque<>();
        if (List.of(args).contains(TAKES_OVER)) {
            Path folder = Path.of(args[0]);
            Repository.rebuildIndex(
                    place(folder, args[1], URI.create(args[2])), RepositoryIndex.defaultKeyFile(folder));
        }
        try (Repository repository = open(Path.of(args[0]), args[1], URI.create(args[2]));
                TestSession session = TestSession.open(repository)) {
            System.out.println("open");
            while (true) {
                long id = session.backUp("vm", regions(seed));
                System.out.println("committed " + id + " " + seed);
                System.out.flush();
                mine.add(id);
                seed++;
                if (mine.size() > MOST_SNAPSHOTS) {
                    long old = mine.remove();
                    System.out.println("deleting " + old);
                    System.out.flush();
                    session.delete(old);
                    List<String> problems = session.collect(false).problems();
                    if (!problems.isEmpty()) {
                        throw new IOException(String.join("; ", problems));
                    }
                }
            }
        }
    }
}
