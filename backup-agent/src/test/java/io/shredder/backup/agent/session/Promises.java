// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.powerloss.DiskChange;
import io.shredder.backup.region.StoredRegion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** What a repository has promised by some moment of its life, and whether a disk still holds it. One thread. */
final class Promises {

    private static final int RECORD_HEAD_BYTES = 84;
    private static final int HEADER_BYTES = 64;
    /** A gap must be so long to become a hole, of whole blocks, so that its edges stay. */
    private static final int HOLE_BYTES = 16 << 10;

    private static final long EDGE_BYTES = 2 * 4096;
    private static final List<StoredRegion> NEXT =
            Samples.inRegions(List.of(1, 3, 2), Samples.chunks(new Random(99), 6, 500));

    private final TreeMap<Long, List<StoredRegion>> committed = new TreeMap<>();
    private final Set<Long> deleting = new HashSet<>();
    private final Set<Long> deleted = new HashSet<>();
    private final List<List<StoredRegion>> begun = new ArrayList<>();
    private boolean haveBegun;
    private long highestId;

    void follow(DiskChange change) {
        if (!(change instanceof DiskChange.Mark mark)) {
            return;
        }
        haveBegun = true;
        if (mark.what() instanceof RandomLife.Begun backup) {
            begun.add(backup.chunks());
        } else if (mark.what() instanceof RandomLife.Committed backup) {
            begun.remove(backup.chunks());
            committed.put(backup.id(), backup.chunks());
            highestId = Math.max(highestId, backup.id());
        } else if (mark.what() instanceof RandomLife.Deleting going) {
            deleting.add(going.id());
        } else if (mark.what() instanceof RandomLife.Deleted gone) {
            deleted.add(gone.id());
        }
    }

    /** Whether there is a repository yet. */
    boolean haveBegun() {
        return haveBegun;
    }

    /**
     * Opens what is left and goes on with it.
     *
     * @param lied whether something that was forced is missing: then it is enough that this is named
     * @return what was seen
     */
    String check(Path folder, boolean lied) throws IOException {
        Map<Long, List<StoredRegion>> there;
        try (Repository repository = RandomLife.open(folder);
                TestSession session = TestSession.open(repository)) {
            List<String> problems = session.problems();
            if (lied && !problems.isEmpty()) {
                return named(problems.get(0)) + " by verify";
            } else if (!problems.isEmpty()) {
                throw new AssertionError("verify finds " + problems);
            }
            there = snapshots(repository, session);
            if (!lied) {
                checkAudit(folder);
            }
            goOn(repository, session, there, lied);
        } catch (IOException e) {
            if (!lied) {
                throw new AssertionError("the repository can't be opened any more: " + e.getMessage(), e);
            }
            return named(String.valueOf(e.getMessage())) + " at the start";
        }
        try (Repository repository = RandomLife.open(folder);
                TestSession session = TestSession.open(repository)) {
            for (Map.Entry<Long, List<StoredRegion>> snapshot : there.entrySet()) {
                session.assertRestores(snapshot.getKey(), snapshot.getValue());
            }
        }
        return "whole";
    }

    private static String named(String problem) {
        if (!problem.matches(
                "(?s).*(containers/|snapshots/|pages/|index/|index-key|highest-id|repository|audit\\.log|catalogue\\.log|missing from the index).*")) {
            throw new AssertionError("no file is named: " + problem);
        }
        return "damage named";
    }

    /** Restores each snapshot: all committed are there, none deleted is, those begun are there whole or not at all. */
    private Map<Long, List<StoredRegion>> snapshots(Repository repository, TestSession session) throws IOException {
        Map<Long, List<StoredRegion>> there = new TreeMap<>();
        for (long id : repository.catalogue().ids()) {
            List<StoredRegion> chunks = committed.containsKey(id) ? committed.get(id) : begunWith(session, id);
            if (deleted.contains(id)) {
                throw new AssertionError("snapshot " + id + " is back from the dead");
            }
            session.assertRestores(id, chunks);
            there.put(id, chunks);
        }
        for (long id : committed.keySet()) {
            if (!there.containsKey(id) && !deleting.contains(id)) {
                throw new AssertionError("snapshot " + id + " is lost");
            }
        }
        return there;
    }

    private List<StoredRegion> begunWith(TestSession session, long id) throws IOException {
        var references = session.references(id);
        for (List<StoredRegion> chunks : begun) {
            if (references.equals(TestSession.references(chunks))) {
                return chunks;
            }
        }
        throw new AssertionError("nobody has backed up snapshot " + id);
    }

    private void checkAudit(Path folder) throws IOException {
        String audit = Files.readString(
                folder.resolve(RandomLife.REPOSITORY).resolve("audit.log"),
                java.nio.charset.StandardCharsets.ISO_8859_1);
        for (long id : deleted) {
            if (!audit.contains("\"snapshot\":" + id + ",")) {
                throw new AssertionError("the audit log does not tell that snapshot " + id + " was deleted");
            }
        }
    }

    /** The next backup succeeds under a new id, and a collection leaves what is needed, to the byte. */
    private void goOn(Repository repository, TestSession session, Map<Long, List<StoredRegion>> there, boolean lied)
            throws IOException {
        List<StoredRegion> chunks = new ArrayList<>(NEXT);
        begun.forEach(chunks::addAll);
        long id = session.backUp("next", chunks);
        if (id <= highestId && !lied) {
            throw new AssertionError("id " + id + " is given out again, " + highestId + " was");
        }
        there.put(id, chunks);
        List<String> problems = session.collect(false).problems();
        if (!problems.isEmpty()) {
            throw new AssertionError("a collection finds " + problems);
        }
        checkNothingLeaks(repository, there);
    }

    private static void checkNothingLeaks(Repository repository, Map<Long, List<StoredRegion>> there)
            throws IOException {
        Map<ContainerPosition, Integer> needed = new HashMap<>();
        for (List<StoredRegion> snapshot : there.values()) {
            for (Optional<ChunkLocation> found :
                    repository.chunks().index().findAll(TestSession.references(snapshot))) {
                ChunkLocation at = found.orElseThrow();
                needed.put(at.position(), at.storedBytes());
            }
        }
        AtomicLong unneeded = new AtomicLong();
        repository
                .chunks()
                .index()
                .forEach((chunk, at) -> unneeded.addAndGet(needed.containsKey(at.position()) ? 0 : 1));
        long bytes = needed.values().stream()
                .mapToLong(length -> RECORD_HEAD_BYTES + length)
                .sum();
        long held = 0;
        int containers = 0;
        for (Map.Entry<Integer, Long> size :
                repository.chunks().containers().sizes().entrySet()) {
            held += occupied(repository, size.getKey(), size.getValue()) - HEADER_BYTES;
            containers++;
        }
        boolean holes = needed.values().stream().anyMatch(length -> length > HOLE_BYTES);
        long edges = holes ? EDGE_BYTES * (needed.size() + containers) : 0;
        if (held < bytes || held > bytes + edges || unneeded.get() > 0) {
            throw new AssertionError("snapshots need " + needed.size() + " regions of " + bytes + " bytes, kept are "
                    + held + " bytes and " + unneeded + " chunks of other regions");
        }
    }

    private static long occupied(Repository repository, int container, long bytes) throws IOException {
        return repository.chunks().space().isSupported()
                ? repository.chunks().space().occupiedBytes(container, bytes)
                : bytes;
    }
}
