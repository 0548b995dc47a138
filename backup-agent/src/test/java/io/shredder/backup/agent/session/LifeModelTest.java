// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random backups that send up to six chunks together, prunes, collections and restarts, their requests mixed in any
 * order, against a map of what must be there; the clock jumps. More with {@code -Dlife.steps=N}.
 */
class LifeModelTest {

    private static final int SESSIONS = 4;
    private static final int LARGE_CHUNK_BYTES = 60_000;

    @TempDir
    private Path folder;

    private final Random random = new Random(Samples.seed());
    private List<StoredRegion> pool = Samples.chunks(random, 120, 900);
    private int containerBytes = 5000;
    /** Of collections; where chunks are large enough for holes to be made instead of copies. */
    private int minGarbagePercent;

    private final Map<Long, List<StoredRegion>> committed = new TreeMap<>();
    private final List<Backup> backups = new ArrayList<>();
    private final JumpingClock clock = new JumpingClock();
    private Repository repository;
    private TestSession keeper;
    private boolean collecting;

    /** Goes anywhere. */
    private final class JumpingClock extends Clock {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(1 + random.nextInt(2_000_000_000));
        }
    }

    /** A backup that is under way: each step is one request. */
    private final class Backup {
        private final TestSession session = TestSession.open(repository);
        private final List<StoredRegion> image = new ArrayList<>();
        private final List<StoredRegion> sent = new ArrayList<>();
        private final boolean shares;
        private int next;

        Backup() throws IOException {
            int from = random.nextInt(pool.size());
            for (int i = random.nextInt(40); i > 0; i--) {
                image.add(pool.get(random.nextInt(5) == 0 ? random.nextInt(pool.size()) : (from + i) % pool.size()));
            }
            shares = random.nextBoolean();
            session.begin("vm" + random.nextInt(3), shares ? Samples.SHARED : Samples.SEAL);
        }

        /** Like a backup of an image that hardly changed: the next page is another snapshot's, if not pruned. */
        private boolean share() throws IOException {
            List<Long> ids = List.copyOf(committed.keySet());
            if (!shares || ids.isEmpty() || next < sent.size()) {
                return false;
            }
            long id = ids.get(random.nextInt(ids.size()));
            List<StoredRegion> other = committed.get(id);
            int page = other.isEmpty() ? 0 : random.nextInt(other.size());
            if (other.isEmpty() || !session.share(id, page, other.get(page))) {
                return false;
            }
            image.add(next, other.get(page));
            sent.add(other.get(page));
            next++;
            return true;
        }

        /** Returns whether it is over. */
        boolean step() throws IOException {
            if (random.nextInt(3) == 0 && share()) {
                return false;
            }
            if (sent.size() < image.size() && (random.nextInt(3) > 0 || next == sent.size())) {
                int to = Math.min(image.size(), sent.size() + 1 + random.nextInt(6));
                List<StoredRegion> together = image.subList(sent.size(), to);
                session.putNewTogether(together);
                sent.addAll(together);
            } else if (next < image.size()) {
                session.append(image.get(next++));
            } else {
                committed.put(session.commit(), List.copyOf(image));
                session.close();
                return true;
            }
            return false;
        }
    }

    @Test
    void nothingCommittedIsLostAndNothingLeaksWhateverHappensInWhichOrder() throws IOException {
        live(4000);
    }

    @Test
    void nothingIsLostAndNothingLeaksWhereSpaceIsReleasedInsideContainers() throws IOException {
        pool = Samples.chunks(random, 120, LARGE_CHUNK_BYTES);
        containerBytes = 10 * LARGE_CHUNK_BYTES;
        minGarbagePercent = 40;
        live(1000);
    }

    private void live(int steps) throws IOException {
        open();
        for (int step = Integer.getInteger("life.steps", steps); step > 0; step--) {
            act();
        }
        reopen();
        assertEverythingRestores();
        UpkeepAnswer.Collected last = keeper.collect(false);
        assertThat(last.problems()).isEmpty();
        assertEverythingRestores();
        assertNothingLeaks();
        assertPacksGoWithTheirSnapshots();
        keeper.close();
        repository.close();
    }

    /** What is kept is in a region with something that a snapshot needs. */
    private void assertNothingLeaks() throws IOException {
        Set<ContainerPosition> living = new HashSet<>();
        for (List<StoredRegion> image : committed.values()) {
            List<Fingerprint> chunks =
                    image.stream().map(chunk -> chunk.first().fingerprint()).toList();
            for (Optional<ChunkLocation> found : repository.chunks().index().findAll(chunks)) {
                living.add(found.orElseThrow().position());
            }
        }
        repository.chunks().index().forEach((fingerprint, location) -> assertThat(living)
                .as(fingerprint.toString())
                .contains(location.position()));
    }

    private void assertPacksGoWithTheirSnapshots() throws IOException {
        for (long id : List.copyOf(committed.keySet())) {
            keeper.delete(id);
        }
        committed.clear();
        keeper.collect(false);
        assertThat(repository.catalogue().packs().list()).isEmpty();
    }

    private void act() throws IOException {
        int dice = random.nextInt(1000);
        if (dice < 3) {
            reopen();
        } else if (dice < 10) {
            assertEverythingRestores();
        } else if (dice < 30 && !committed.isEmpty()) {
            prune();
        } else if (dice < 40 && !backups.isEmpty()) {
            backups.remove(random.nextInt(backups.size())).session.close();
        } else if (dice < 60 && backups.size() < SESSIONS) {
            backups.add(new Backup());
        } else if (dice < 200) {
            collectSome();
        } else if (!backups.isEmpty()) {
            int which = random.nextInt(backups.size());
            if (backups.get(which).step()) {
                backups.remove(which);
            }
        }
    }

    private void prune() throws IOException {
        List<Long> ids = List.copyOf(committed.keySet());
        long id = ids.get(random.nextInt(ids.size()));
        keeper.delete(id);
        committed.remove(id);
    }

    private void collectSome() throws IOException {
        UpkeepAnswer.Collected step = collecting ? keeper.nextStep() : keeper.beginCollection(false, minGarbagePercent);
        assertThat(step.problems()).isEmpty();
        collecting = !step.done();
    }

    private void open() throws IOException {
        repository = Repository.open(folder.resolve("repo"), clock, containerBytes);
        keeper = TestSession.open(repository);
        collecting = false;
    }

    private void reopen() throws IOException {
        for (Backup backup : backups) {
            backup.session.close();
        }
        backups.clear();
        keeper.close();
        repository.close();
        open();
    }

    private void assertEverythingRestores() throws IOException {
        try (TestSession restore = TestSession.open(repository)) {
            for (Map.Entry<Long, List<StoredRegion>> snapshot : committed.entrySet()) {
                restore.assertRestores(snapshot.getKey(), snapshot.getValue());
            }
        }
    }
}
