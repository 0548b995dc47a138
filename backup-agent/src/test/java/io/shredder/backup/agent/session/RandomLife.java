// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.SeriesRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * Some backups, prunes, collections and restarts of a repository in {@link RecordedFiles}, which are told what is
 * promised. One thread but for crowds.
 */
final class RandomLife {

    static final int CONTAINER_BYTES = 2500;
    static final int TABLE_ENTRIES = 12;
    static final String REPOSITORY = "repo";
    private static final int STEPS = 14;
    private static final int POOL = 40;
    private static final int MAX_CHUNK_BYTES = 700;
    private static final int MAX_TOGETHER = 6;
    private static final int CROWD = 6;
    /** Where chunks are that long, collections make holes instead of copies. */
    static final int LARGE_CHUNK_BYTES = 60_000;

    private static final int LARGE_CONTAINER_BYTES = 6 * LARGE_CHUNK_BYTES;
    private static final int LARGE_MIN_GARBAGE_PERCENT = 40;

    /** A backup of these chunks begins. */
    record Begun(List<StoredRegion> chunks) {}

    /** It was committed. */
    record Committed(long id, List<StoredRegion> chunks) {}

    /** Snapshots are about to be deleted. */
    record Deleting(long id) {}

    /** They have been. */
    record Deleted(long id) {}

    private final RecordedFiles files;
    private final Random random;
    private final boolean large;
    private final List<StoredRegion> pool;
    private final TreeMap<Long, List<StoredRegion>> committed = new TreeMap<>();

    RandomLife(RecordedFiles files, Random random) {
        this.files = files;
        this.random = random;
        this.large = random.nextBoolean();
        this.pool = Samples.chunks(random, POOL, large ? LARGE_CHUNK_BYTES : MAX_CHUNK_BYTES);
    }

    static Repository open(Path folder) throws IOException {
        return open(folder, CONTAINER_BYTES);
    }

    private static Repository open(Path folder, int containerBytes) throws IOException {
        return Repository.open(folder.resolve(REPOSITORY), Clock.systemUTC(), containerBytes, TABLE_ENTRIES);
    }

    private Repository open() throws IOException {
        return open(files.root(), large ? LARGE_CONTAINER_BYTES : CONTAINER_BYTES);
    }

    private void collect(TestSession session) throws IOException {
        session.collect(false, large ? LARGE_MIN_GARBAGE_PERCENT : 0);
    }

    void live() throws IOException {
        open().close();
        for (int step = 0; step < STEPS; ) {
            try (Repository repository = open();
                    TestSession session = TestSession.open(repository);
                    TestSession other = TestSession.open(repository)) {
                for (int until = Math.min(STEPS, step + 1 + random.nextInt(6)); step < until; step++) {
                    step(repository, session, other);
                }
            }
        }
    }

    private void step(Repository repository, TestSession session, TestSession other) throws IOException {
        int dice = random.nextInt(11);
        if (dice == 10) {
            crowd(repository);
        } else if (dice < 2 && committed.size() > 1) {
            delete(session);
        } else if (dice < 4 && !committed.isEmpty()) {
            collect(session);
        } else if (dice < 5) {
            backUpBesideCollection(session, other);
        } else if (dice < 6) {
            abandon(session);
        } else if (dice < 8 && !committed.isEmpty()) {
            backUpMore(session);
        } else {
            backUp(session, image());
        }
    }

    private List<StoredRegion> image() {
        List<StoredRegion> image = new ArrayList<>();
        int from = random.nextInt(POOL);
        for (int i = 4 + random.nextInt(10); i > 0; i--) {
            image.add(pool.get((from + i) % POOL));
        }
        return image;
    }

    private void backUp(TestSession session, List<StoredRegion> image) throws IOException {
        files.mark(new Begun(image));
        session.begin("vm", random.nextBoolean() ? Samples.SHARED : Samples.SEAL);
        send(session, image);
        done(append(session, image), image);
    }

    /** The image of the last snapshot goes on; its pages are shared, if its list is such. */
    private void backUpMore(TestSession session) throws IOException {
        List<StoredRegion> before = committed.lastEntry().getValue();
        List<StoredRegion> image = new ArrayList<>(before);
        image.addAll(image());
        files.mark(new Begun(image));
        session.begin("vm", Samples.SHARED);
        for (int page = 0; page < before.size(); page++) {
            if (!session.share(committed.lastKey(), page, image.get(page))) {
                session.putIfNew(image.get(page));
                session.append(image.get(page));
            }
        }
        List<StoredRegion> more = image.subList(before.size(), image.size());
        send(session, more);
        done(append(session, more), image);
    }

    /** As a backup does: what is not there, in regions of some chunks. */
    private void send(TestSession session, List<StoredRegion> image) throws IOException {
        for (int from = 0, to; from < image.size(); from = to) {
            to = Math.min(image.size(), from + 1 + random.nextInt(MAX_TOGETHER));
            session.putNewTogether(image.subList(from, to));
            if (random.nextInt(8) == 0) {
                session.ask(new Request.Sync());
            }
        }
    }

    private static long append(TestSession session, List<StoredRegion> image) throws IOException {
        for (StoredRegion chunk : image) {
            session.append(chunk);
        }
        return session.commit();
    }

    private void done(long id, List<StoredRegion> image) {
        files.mark(new Committed(id, image));
        committed.put(id, image);
    }

    private void backUpBesideCollection(TestSession session, TestSession other) throws IOException {
        List<StoredRegion> image = image();
        files.mark(new Begun(image));
        other.begin("slow");
        send(other, image);
        collect(session);
        done(append(other, image), image);
    }

    /** Several clients back up at once, some of the same chunks: so that containers grow side by side. */
    private void crowd(Repository repository) throws IOException {
        List<List<StoredRegion>> images = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            images.add(image());
            files.mark(new Begun(images.get(i)));
        }
        List<Long> ids = TogetherRun.all(CROWD, number -> {
            List<StoredRegion> image = images.get(number);
            try (TestSession session = TestSession.open(repository)) {
                session.begin("crowd" + number);
                if (number % 2 == 0) {
                    session.ask(new SeriesRequest.Prepare(0)); // Its id is not the highest when it is used.
                }
                for (StoredRegion chunk : image) {
                    session.putIfNew(chunk);
                }
                long id = append(session, image);
                files.mark(new Committed(id, image));
                return id;
            }
        });
        for (int i = 0; i < CROWD; i++) {
            committed.put(ids.get(i), images.get(i));
        }
    }

    /** Sends some chunks that no snapshot will need. */
    private void abandon(TestSession session) throws IOException {
        send(session, image());
        if (random.nextBoolean()) {
            session.ask(new Request.Sync());
        }
    }

    private void delete(TestSession session) throws IOException {
        long id = new ArrayList<>(committed.keySet()).get(random.nextInt(committed.size()));
        files.mark(new Deleting(id));
        session.delete(id);
        files.mark(new Deleted(id));
        committed.remove(id);
    }
}
