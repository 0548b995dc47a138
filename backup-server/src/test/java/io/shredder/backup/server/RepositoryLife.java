// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.agent.session.SmallRepository;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.backup.BackupSession;
import io.shredder.backup.server.cache.SnapshotCaches;
import io.shredder.backup.server.snapshot.SnapshotPointers;
import io.shredder.backup.server.source.BytesImage;
import io.shredder.backup.server.source.Extent;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.transfer.CollectionRun;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.AgentRoute;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.Backend;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Some backups of two clients, prunes and collections of one repository, real from the image to the container, and all
 * of its files after each step. One thread.
 */
final class RepositoryLife implements AutoCloseable {

    static final String CLIENT = "site1";
    static final String OTHER_CLIENT = "site2";
    static final SnapshotName SERIES = new SnapshotName("vm");
    static final SnapshotName OTHER_SERIES = new SnapshotName("db");

    /** So many of a series are left by the rules. */
    static final int KEPT = 2;

    private static final int SEGMENTS = 8;
    private static final int SEGMENT_BYTES = 6000;
    private static final int AVERAGE_CHUNK_BYTES = 1 << 10;

    private final Path folder;
    private final RepositoryKey key;
    private final Random random;
    private final Shredder engine;
    private final List<State> states = new ArrayList<>();
    private final TreeMap<Long, Snapshot> snapshots = new TreeMap<>();
    private final Map<String, byte[]> images = new TreeMap<>();
    private final Map<Fingerprint, SmallRepository.Place> places = new HashMap<>();

    /** A snapshot that was committed, what it must restore to, and the chunks that it needs. */
    record Snapshot(String client, SnapshotName series, long id, byte[] image, Set<Fingerprint> chunks) {}

    /** The repository at one time, the key of its index beside it, and the snapshots that it then should have. */
    record State(SortedMap<String, byte[]> files, SortedMap<Long, Snapshot> snapshots) {}

    private RepositoryLife(Path folder, RepositoryKey key, Random random) throws IOException {
        this.engine = Shredder.open(ShredderOptions.of(Backend.AUTO));
        this.folder = folder;
        this.key = key;
        this.random = random;
    }

    /** Lives it in an empty folder; the last state has nothing that no snapshot needs. */
    static RepositoryLife live(Path folder, RepositoryKey key, Random random) throws IOException {
        RepositoryLife life = new RepositoryLife(folder, key, random);
        life.backUp(CLIENT, SERIES);
        life.backUp(CLIENT, OTHER_SERIES);
        life.backUp(CLIENT, SERIES);
        life.backUp(OTHER_CLIENT, SERIES);
        life.backUp(CLIENT, SERIES);
        life.prune(1);
        life.backUp(CLIENT, SERIES);
        life.backUp(CLIENT, OTHER_SERIES);
        life.prune(2);
        life.backUp(CLIENT, SERIES);
        try (SmallRepository repository = SmallRepository.open(folder.resolve("site"))) {
            life.places.putAll(repository.places());
        }
        return life;
    }

    /** Where the records of all chunks lie in the last state. */
    Map<Fingerprint, SmallRepository.Place> places() {
        return places;
    }

    Path known() {
        return folder.resolve("known");
    }

    List<State> states() {
        return states;
    }

    State last() {
        return states.get(states.size() - 1);
    }

    private void backUp(String client, SnapshotName series) throws IOException {
        byte[] image = nextImage(client + "/" + series);
        try (SmallRepository repository = SmallRepository.open(folder.resolve("site"))) {
            SnapshotInfo snapshot = backUp(repository.route(client), KnownCommits.in(known()), series, image);
            Set<Fingerprint> chunks = chunks(AgentClient.over(repository.route(client)), snapshot);
            snapshots.put(snapshot.id(), new Snapshot(client, series, snapshot.id(), image, chunks));
        }
        states.add(new State(FileTree.read(folder.resolve("site")), new TreeMap<>(snapshots)));
    }

    /** Some of it is as before, some as in other images. */
    byte[] nextImage(String name) {
        byte[] image = images.getOrDefault(name, new byte[0]).clone();
        if (image.length == 0) {
            image = new byte[SEGMENTS * SEGMENT_BYTES];
            random.nextBytes(image);
        }
        byte[] segment = new byte[SEGMENT_BYTES];
        new Random(random.nextInt(SEGMENTS)).nextBytes(segment);
        System.arraycopy(segment, 0, image, random.nextInt(SEGMENTS) * SEGMENT_BYTES, SEGMENT_BYTES);
        random.nextBytes(segment);
        System.arraycopy(segment, 0, image, random.nextInt(SEGMENTS) * SEGMENT_BYTES, SEGMENT_BYTES);
        images.put(name, image);
        return image;
    }

    /** Backs an image up by any way to an agent, and closes that. */
    SnapshotInfo backUp(AgentRoute route, KnownCommits known, SnapshotName series, byte[] image) throws IOException {
        ChunkingParams lengths =
                ChunkingParams.builder().averageBytes(AVERAGE_CHUNK_BYTES).build();
        try (AgentClient agent = AgentClient.over(route);
                BytesImage source = new BytesImage(image, List.of(new Extent(0, image.length)), 1 << 20)) {
            return new BackupSession(agent, engine, key, SnapshotCaches.none(), known, false, Cores.all())
                    .run(source, series, new ImageCuts(lengths, Optional.empty()), Remarks.none(), Pace.unlimited())
                    .snapshot();
        }
    }

    private Set<Fingerprint> chunks(AgentClient agent, SnapshotInfo snapshot) throws IOException {
        Set<Fingerprint> chunks = new HashSet<>();
        SnapshotPointers pointers = new SnapshotPointers(agent, key, snapshot);
        for (List<Pointer> page = pointers.nextPage(); !page.isEmpty(); page = pointers.nextPage()) {
            page.forEach(pointer -> chunks.add(pointer.fingerprint()));
        }
        return chunks;
    }

    private void prune(long id) throws IOException {
        try (SmallRepository repository = SmallRepository.open(folder.resolve("site"))) {
            AgentClient admin = AgentClient.over(repository.route(CLIENT));
            admin.delete(List.of(id));
            CollectionRun.of(admin, 0, false);
        }
        snapshots.remove(id);
        states.add(new State(FileTree.read(folder.resolve("site")), new TreeMap<>(snapshots)));
    }

    @Override
    public void close() {
        engine.close();
    }
}
