// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.server.restore.RestoreSession;
import io.shredder.backup.server.snapshot.SnapshotList;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.targets.PipeTarget;
import io.shredder.backup.server.transfer.VerifyRun;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.wire.UpkeepAnswer;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a site's agent must have, and asks it whether it does. */
final class SnapshotModel {

    private static final int HEADER_BYTES = 64;
    private static final int RECORD_HEAD_BYTES = 84;
    /** At most so much of the space before and behind each record is not given back: holes are made of whole blocks. */
    private static final long EDGE_BYTES = 2 * 4096;

    private final KillSite site;
    /** SHA-256 of each image by the snapshot's id. */
    private final TreeMap<Long, String> committed = new TreeMap<>();
    /** Those that a prune was asked to delete which was not seen to end. */
    private final Set<Long> goingPerhaps = new HashSet<>();

    private @Nullable String begun;
    private boolean acknowledged;

    SnapshotModel(KillSite site) {
        this.site = site;
    }

    int size() {
        return committed.size();
    }

    /** A backup of an image with this digest begins. */
    void backupBegins(String digest) {
        begun = digest;
        acknowledged = false;
    }

    void backupDone() {
        acknowledged = true;
    }

    /** An operation succeeded. */
    void done(boolean backup, @Nullable List<Long> pruned) {
        if (backup) {
            backupDone();
        }
        if (pruned != null) {
            committed.keySet().removeAll(pruned);
            goingPerhaps.removeAll(pruned);
        }
    }

    /** One to three of the older snapshots, which a prune will be asked to delete. */
    List<Long> someToPrune(Random random) {
        List<Long> ids = new ArrayList<>(committed.keySet());
        List<Long> some = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0 && ids.size() > 1; i--) {
            some.add(ids.remove(random.nextInt(ids.size() - 1)));
        }
        goingPerhaps.addAll(some);
        return some;
    }

    List<Long> oldest(int count) {
        return committed.keySet().stream().limit(count).toList();
    }

    void prune(List<Long> ids) throws IOException {
        try (AgentClient client = site.connect()) {
            client.delete(ids);
        }
        done(false, ids);
    }

    /** Compares the listing, restores what is new and one more; returns what became of the backup under way. */
    String check(Random random) throws IOException {
        try (AgentClient client = site.connect()) {
            List<SnapshotInfo> listed = listed(client);
            Set<Long> ids = new HashSet<>();
            List<SnapshotInfo> unknown = new ArrayList<>();
            for (SnapshotInfo snapshot : listed) {
                ids.add(snapshot.id());
                if (!committed.containsKey(snapshot.id())) {
                    unknown.add(snapshot);
                }
            }
            for (long id : goingPerhaps) {
                if (!ids.contains(id)) {
                    committed.remove(id);
                }
            }
            goingPerhaps.clear();
            if (!ids.containsAll(committed.keySet())) {
                throw new AssertionError("lost: of " + committed.keySet() + " only " + ids + " are listed");
            }
            String became = takeUp(unknown);
            begun = null;
            for (SnapshotInfo snapshot : listed) {
                if (unknown.contains(snapshot) || random.nextInt(listed.size()) == 0) {
                    checkRestores(client, snapshot);
                }
            }
            return became;
        }
    }

    private String takeUp(List<SnapshotInfo> unknown) {
        if (unknown.isEmpty() && begun != null && acknowledged) {
            throw new AssertionError("a backup that succeeded is not listed");
        }
        if (unknown.size() > (begun == null ? 0 : 1)) {
            throw new AssertionError("nobody has backed up " + unknown);
        }
        for (SnapshotInfo snapshot : unknown) {
            committed.put(snapshot.id(), String.valueOf(begun));
        }
        return begun == null
                ? "no backup under way"
                : acknowledged
                        ? "backup was done"
                        : unknown.isEmpty() ? "backup left nothing" : "backup is there whole";
    }

    private static List<SnapshotInfo> listed(AgentClient client) throws IOException {
        AgentSeries.Listing listing = AgentSeries.listAll(client);
        if (!listing.damaged().isEmpty()) {
            throw new AssertionError("damaged: " + listing.damaged());
        }
        return listing.snapshots();
    }

    private void checkRestores(AgentClient client, SnapshotInfo snapshot) throws IOException {
        MessageDigest digest = PooledImage.sha256();
        try (PipeTarget target =
                new PipeTarget(Channels.newChannel(new DigestOutputStream(OutputStream.nullOutputStream(), digest)))) {
            new RestoreSession(client, site.key(), Cores.all()).run(snapshot, target);
        }
        String restored = HexFormat.of().formatHex(digest.digest());
        if (!restored.equals(committed.get(snapshot.id()))) {
            throw new AssertionError("snapshot " + snapshot.id() + " restores to other bytes");
        }
    }

    /** Restores everything and has the agent verify everything. */
    void checkAll() throws IOException {
        try (AgentClient client = site.connect()) {
            for (SnapshotInfo snapshot : listed(client)) {
                checkRestores(client, snapshot);
            }
            VerifyRun verified = VerifyRun.of(client, VerifyRun.EVERYTHING);
            if (!verified.problems().isEmpty()) {
                throw new AssertionError("verify finds " + verified.problems());
            }
        }
    }

    /** After a collection of all garbage the agent keeps the regions that snapshots need, and holes' edges. */
    void checkNothingLeaks() throws IOException {
        try (AgentClient client = site.connect()) {
            Set<Fingerprint> needed = new HashSet<>();
            for (SnapshotInfo snapshot : listed(client)) {
                SnapshotList list = SnapshotList.of(client, snapshot);
                for (int page = 0; page < list.count(); page++) {
                    needed.addAll(Answers.await(list.page(page)).references());
                }
            }
            Map<Fingerprint, StoredRegion> regions = new HashMap<>();
            for (Fingerprint chunk : needed) {
                StoredRegion region = Answers.await(client.fetch(new ChunkRef(1, chunk)));
                regions.put(region.storedDigest(), region);
            }
            long bytes = 0;
            Set<Fingerprint> living = new HashSet<>();
            for (StoredRegion region : regions.values()) {
                bytes += RECORD_HEAD_BYTES + region.stored().length();
                living.addAll(region.fingerprints());
            }
            UpkeepAnswer.Statistics statistics = client.statistics();
            long held = statistics.containerBytes() - HEADER_BYTES * statistics.containers();
            long edges = EDGE_BYTES * (regions.size() + statistics.containers());
            if (statistics.chunks() < needed.size()
                    || statistics.chunks() > living.size()
                    || held < bytes
                    || held > bytes + edges) {
                throw new AssertionError("snapshots need " + needed.size() + " chunks, in regions of " + living.size()
                        + " and " + bytes + " bytes; kept are " + statistics.chunks() + " of " + held);
            }
        }
        try (Stream<java.nio.file.Path> drafts = Files.list(site.repository().resolve("incoming"))) {
            if (drafts.findAny().isPresent()) {
                throw new AssertionError("a draft is left in incoming");
            }
        }
    }
}
