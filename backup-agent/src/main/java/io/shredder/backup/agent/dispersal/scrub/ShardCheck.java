// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.Keepers;
import io.shredder.backup.agent.dispersal.ShardScan;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.bytes.OtherVersionException;
import io.shredder.chunk.DamagedDataException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks the shards of one coded version, every byte at every keeper that is there: the header and the frames that
 * most keepers say, and cells by their digests. {@link ShardMending} writes anew what is wrong.
 */
final class ShardCheck {

    private final DispersedStorage storage;
    private final Keepers keepers;
    private final StoredVersion version;
    private final ShardScan shards;
    private final ScrubTally tally;

    /** Cells that are sound, by group. */
    private final Map<Long, Integer> soundCells = new TreeMap<>();

    private ShardCheck(DispersedStorage storage, StoredVersion version, ShardScan shards, ScrubTally tally) {
        this.storage = storage;
        this.keepers = storage.keepers();
        this.version = version;
        this.shards = shards;
        this.tally = tally;
    }

    static void run(DispersedStorage storage, StoredVersion version, ScrubTally tally) throws IOException {
        try (ShardScan shards = ShardScan.open(storage.keepers(), version)) {
            new ShardCheck(storage, version, shards, tally).run();
        }
    }

    private void run() throws IOException {
        Optional<Groups> groups = groups();
        boolean whole = groups.isPresent() && endCounts();
        for (Keeper keeper : keepers.all()) {
            List<KeeperFinding> wrong = new ArrayList<>();
            try {
                check(keeper, groups, wrong);
            } catch (IOException e) {
                tally.away(keeper.index(), String.valueOf(e.getMessage()));
                continue;
            }
            tally.found(keeper, wrong, whole, () -> new ShardMending(storage, version, shards)
                    .mend(keeper, groups.orElseThrow().all(), bytes -> {}));
        }
        groups.ifPresent(this::tellLost);
        tally.fileChecked();
    }

    /** Empty, and told, if too few keepers say what they should have. */
    private Optional<Groups> groups() {
        try {
            shards.requireEnough();
            return Optional.of(storage.groups(version, shards));
        } catch (IOException e) {
            tally.unreadable(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** Whether all groups can be read; at the end of a file that grew those that can't be may never have counted. */
    private boolean endCounts() {
        try {
            long bytes = storage.size(version.name());
            storage.endWriting(version.name());
            long left = storage.size(version.name());
            if (left < bytes) {
                tally.unreadable(version.name() + ": from byte " + left + " on it is whole at too few keepers. If an"
                        + " agent died here, that was never acknowledged, and the next start takes it away");
            }
            return left == bytes;
        } catch (IOException e) {
            tally.unreadable(String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void check(Keeper keeper, Optional<Groups> groups, List<KeeperFinding> wrong) throws IOException {
        int index = keeper.index();
        Optional<IOException> refused = shards.refused(index);
        if (refused.isPresent()) {
            wrong.add(refusal(keeper, refused.get()));
            return;
        }
        Optional<ShardHeader> header = shards.header().map(most -> most.at(index));
        int differs = header.flatMap(
                        most -> shards.headerOf(index).map(own -> most.encoded().mismatch(own.encoded())))
                .orElse(-1);
        if (differs >= 0) {
            wrong.add(finding(keeper, differs, "the header is not what most keepers say", false));
        }
        if (groups.isPresent()) {
            checkGroups(keeper, groups.get().all(), wrong);
        }
    }

    private KeeperFinding refusal(Keeper keeper, IOException problem) throws IOException {
        if (!keeper.isThere()) {
            throw problem;
        }
        if (problem instanceof OtherVersionException) {
            throw problem;
        }
        if (problem instanceof DamagedDataException damage) {
            return finding(keeper, damage.offset(), String.valueOf(damage.getMessage()), false);
        }
        if (problem instanceof EOFException) {
            return finding(keeper, 0, "it ends in its header", !wasToGetIt(keeper));
        }
        if (problem instanceof NoSuchFileException) {
            return finding(keeper, 0, "the shard isn't there", !wasToGetIt(keeper));
        }
        throw problem;
    }

    private boolean wasToGetIt(Keeper keeper) {
        return keeper.isWhole()
                && shards.header()
                        .map(header -> header.members().has(keeper.index()))
                        .orElse(true);
    }

    private KeeperFinding finding(Keeper keeper, long offset, String problem, boolean owed) {
        return new KeeperFinding(keeper.index(), keeper.path(version.file()), offset, problem, owed, false);
    }

    private void checkGroups(Keeper keeper, List<Groups.Group> groups, List<KeeperFinding> wrong) throws IOException {
        int index = keeper.index();
        long end = ShardHeader.BYTES;
        long bytes = shards.bytesOf(index);
        for (Groups.Group group : groups) {
            boolean owed = !group.frame().members().has(index);
            end = group.at() + frameBytes(group);
            if (end > bytes) {
                wrong.add(finding(
                        keeper, bytes, "it ends before group " + group.frame().group(), owed));
                return;
            }
            Optional<KeeperFinding> found = checkGroup(keeper, group, owed);
            found.ifPresent(wrong::add);
            if (found.isEmpty()) {
                soundCells.merge(group.at(), 1, Integer::sum);
            }
            tally.read(frameBytes(group));
        }
        if (bytes > end && version.kind() == StoredVersion.Kind.CODED) {
            wrong.add(finding(keeper, end, "it goes on behind its end", false));
        } else if (bytes > end && shards.isOfNoUseFrom(end)) {
            wrong.add(finding(keeper, end, "it goes on behind what counts: an agent died in that write", false));
        }
    }

    private long frameBytes(Groups.Group group) {
        return (long) GroupFrame.headBytes(keepers.dispersal().keepers())
                + group.frame().cellBytes();
    }

    private Optional<KeeperFinding> checkGroup(Keeper keeper, Groups.Group group, boolean owed) throws IOException {
        GroupFrame frame = group.frame();
        ByteBuffer all;
        try {
            all = shards.bytesOf(keeper.index(), group.at(), (int) frameBytes(group));
        } catch (DamagedDataException e) {
            return Optional.of(finding(keeper, e.offset(), String.valueOf(e.getMessage()), owed));
        }
        int headBytes = all.remaining() - frame.cellBytes();
        ByteBuffer head = all.slice(0, headBytes);
        ByteBuffer cell = all.slice(headBytes, frame.cellBytes());
        if (frame.proves(keeper.index(), cell)) {
            int differs = frame.encoded(cell).mismatch(head);
            return differs < 0
                    ? Optional.empty()
                    : Optional.of(
                            finding(keeper, group.at() + differs, "a frame's head is not what most keepers say", owed));
        }
        Dispersal dispersal = keepers.dispersal();
        Optional<GroupFrame.OfKeeper> own = GroupFrame.decoded(dispersal.data(), dispersal.keepers(), head);
        Optional<Integer> within = own.flatMap(each -> each.firstDamage(cell));
        String problem = own.isPresent() && within.isEmpty()
                ? "a cell has a sound checksum and is not what the keeper was given"
                : "a cell's checksum is wrong";
        return Optional.of(finding(keeper, group.at() + headBytes + within.orElse(0), problem, owed));
    }

    private void tellLost(Groups groups) {
        int data = keepers.dispersal().data();
        for (Groups.Group group : groups.all()) {
            int sound = soundCells.getOrDefault(group.at(), 0);
            if (sound < data) {
                long from = group.frame().offset();
                tally.unreadable(version.name() + ": bytes " + from + " to "
                        + (from + group.frame().bytes() - 1) + " can't be read: " + sound
                        + " keepers have them sound and " + data + " are needed");
            }
        }
    }
}
