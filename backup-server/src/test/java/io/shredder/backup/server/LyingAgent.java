// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.session.SmallRepository;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.Keys;
import io.shredder.backup.server.RepositoryLife.Snapshot;
import io.shredder.backup.server.RepositoryLife.State;
import io.shredder.backup.server.trust.BrokenTrustException;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.AgentRoute;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/** A live agent answers with other valid data, or with what was true before; what its clients make of it. One lie. */
final class LyingAgent {

    private final Path folder;
    private final RepositoryLife life;
    private final SortedMap<String, byte[]> foreign;
    private final Random random;
    private final KnownCommits known;
    private final SnapshotReading reading;
    private final TreeSet<String> outcomes = new TreeSet<>();

    /** What it does. */
    enum Lie {
        /** Everything is as it was before. */
        EARLIER_STATE,
        /** Lists of snapshots are as they were before. */
        EARLIER_LISTS,
        /** Only reserved ids, and what goes with them, are as before. */
        EARLIER_IDS,
        /** Another repository, of the same key. */
        OTHER_REPOSITORY,
        /** The newest of each list is withheld. */
        WITHOUT_NEWEST,
        /** Snapshots have each other's ids. */
        EXCHANGED_IDS,
        /** The lists of chunks are another snapshot's. */
        OTHER_PAGES,
        /** Chunks are other chunks. */
        OTHER_CHUNKS,
        /** The snapshots are another client's. */
        OTHER_CLIENT,
        /** What was to be committed is dropped, and the newest of the series passes for it. */
        OTHER_COMMITTED;

        static Lie any(Random random) {
            Lie[] all = values();
            return all[random.nextInt(all.length)];
        }
    }

    /** Under a folder that only this uses. */
    LyingAgent(Path folder, RepositoryLife life, SortedMap<String, byte[]> foreign, Random random) throws IOException {
        this.folder = folder;
        this.life = life;
        this.foreign = foreign;
        this.random = random;
        FileTree.write(folder.resolve("known"), FileTree.read(life.known()));
        this.known = KnownCommits.in(folder.resolve("known"));
        this.reading = new SnapshotReading(Keys.counted(), known);
    }

    /** Returns what clients said; fails if one took a lie for the truth. */
    String judge(Lie lie) throws IOException {
        FileTree.write(folder.resolve("site"), life.last().files());
        List<State> states = life.states();
        FileTree.write(
                folder.resolve("earlier"),
                lie == Lie.OTHER_REPOSITORY
                        ? foreign
                        : states.get(random.nextInt(states.size() - 1)).files());
        try (SmallRepository real = SmallRepository.open(folder.resolve("site"));
                SmallRepository other = SmallRepository.open(folder.resolve("earlier"))) {
            for (Snapshot snapshot : life.last().snapshots().values()) {
                restore(snapshot, new LyingRoute(lie, real, other, snapshot.client(), random.nextLong()));
                latest(
                        snapshot.client(),
                        snapshot.series(),
                        new LyingRoute(lie, real, other, snapshot.client(), random.nextLong()));
            }
            for (String client : List.of(RepositoryLife.CLIENT, RepositoryLife.OTHER_CLIENT)) {
                listAll(client, new LyingRoute(lie, real, other, client, random.nextLong()));
            }
            backUp(real, new LyingRoute(lie, real, other, RepositoryLife.CLIENT, random.nextLong()));
        }
        return String.join(", ", outcomes);
    }

    private void restore(Snapshot snapshot, AgentRoute route) {
        try {
            reading.checkRestores(AgentClient.over(route), snapshot);
            outcomes.add("some restore");
        } catch (BrokenTrustException e) {
            outcomes.add("alarm");
        } catch (IOException e) {
            outcomes.add("restores fail");
        }
    }

    private void latest(String client, SnapshotName series, AgentRoute route) {
        try {
            reading.checkLatest(AgentClient.over(route), client, series, life.last());
        } catch (BrokenTrustException e) {
            outcomes.add("alarm");
        } catch (IOException e) {
            outcomes.add("restores fail");
        }
    }

    /** Whoever copies or prunes everything is told of each series that is not whole. */
    private void listAll(String client, AgentRoute route) {
        try {
            reading.checkAll(AgentClient.over(route), client, life.last());
        } catch (BrokenTrustException e) {
            outcomes.add("alarm");
        } catch (IOException e) {
            outcomes.add("listing fails");
        }
    }

    /** A backup that succeeds must be one: it follows what there was, under an id of its own. */
    private void backUp(SmallRepository real, AgentRoute route) throws IOException {
        byte[] image = life.last()
                .snapshots()
                .get(life.last().snapshots().lastKey())
                .image()
                .clone();
        image[random.nextInt(image.length)] ^= 1;
        SortedMap<String, byte[]> seen = FileTree.read(folder.resolve("known"));
        SnapshotInfo next;
        try {
            next = life.backUp(route, known, RepositoryLife.SERIES, image);
        } catch (BrokenTrustException e) {
            assertThat(e.exitCode()).isEqualTo(3);
            assertThat(FileTree.read(folder.resolve("known")))
                    .as("what the site has seen")
                    .containsExactlyEntriesOf(seen);
            outcomes.add("alarm");
            return;
        } catch (IOException e) {
            outcomes.add("backup fails");
            return;
        }
        if (next.id() <= life.last().snapshots().lastKey()) {
            throw new AssertionError("id " + next.id() + " is given out again");
        }
        reading.checkRestores(
                AgentClient.over(real.route(RepositoryLife.CLIENT)),
                new Snapshot(RepositoryLife.CLIENT, RepositoryLife.SERIES, next.id(), image, Set.of()));
        outcomes.add("backup done");
    }
}
