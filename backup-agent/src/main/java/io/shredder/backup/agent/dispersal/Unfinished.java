// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was under way when its writer died, and can't be read: coded versions of which disks lost what they forced, and
 * ends of growing ones.
 */
final class Unfinished {

    private static final Logger LOG = LoggerFactory.getLogger(Unfinished.class);

    private Unfinished() {}

    /** A shard that grows has a group from the beginning, unless its writer died before anybody was told. */
    static boolean hasSome(StoredVersion version, StoredFile file) {
        return version.kind() != StoredVersion.Kind.GROWING || file.bytes() > ShardHeader.BYTES;
    }

    /**
     * Cuts off what lies behind the groups that count at fewer keepers than are needed to read it, and was never
     * acknowledged. While others are away, nobody could tell that, and the file would be refused.
     *
     * @param current versions that count
     * @param longest which keepers have most of each version; corrected
     */
    static void cutEnds(
            Keepers keepers, Collection<StoredVersion> current, Map<StoredVersion, Lacking.Longest> longest) {
        for (StoredVersion version : current) {
            Lacking.Longest most = longest.getOrDefault(version, new Lacking.Longest());
            if (version.kind() != StoredVersion.Kind.GROWING
                    || !most.isAtFewerThan(keepers.dispersal().data())) {
                continue;
            }
            try (ShardScan shards = ShardScan.open(keepers, version)) {
                longest.put(version, cutEnd(keepers, version, shards));
            } catch (IOException e) {
                LOG.info("{} keeps its end until the next start: {}", version.name(), e.getMessage());
            }
        }
    }

    private static Lacking.Longest cutEnd(Keepers keepers, StoredVersion version, ShardScan shards) throws IOException {
        shards.requireEnough();
        long end = shards.groups().shardBytes(keepers.dispersal().keepers());
        boolean cuts = shards.isOfNoUseFrom(end);
        Lacking.Longest left = new Lacking.Longest();
        for (Keeper keeper : shards.holders()) {
            long bytes = shards.bytesOf(keeper.index());
            if (cuts && bytes > end) {
                keeper.requireWriter(keepers.epoch());
                keeper.storage().cut(version.file(), end);
                bytes = end;
            }
            left.add(keeper, bytes);
        }
        return left;
    }

    /**
     * Whether nobody can have been told of a coded version that too few keepers have whole for it to be read. Of one
     * that somebody was told of, {@link Dispersal#leastToChange} keepers knew, and took away then what was before it:
     * if that still counts, nobody was. Without such a witness it may be a file that disks have lost, and is none of
     * these.
     *
     * @param named how many keepers have it by its name
     * @param olderCounts whether a version before it, or a mark, counts without it
     */
    static boolean wasNeverTold(Keepers keepers, StoredVersion version, int named, BooleanSupplier olderCounts)
            throws IOException {
        Dispersal dispersal = keepers.dispersal();
        if (version.kind() != StoredVersion.Kind.CODED || named >= dispersal.leastToChange()) {
            return false;
        }
        try (ShardScan shards = ShardScan.open(keepers, version)) {
            return !shards.mayBeAcknowledged(named)
                    && whole(shards, dispersal) < dispersal.data()
                    && olderCounts.getAsBoolean();
        }
    }

    /** How many keepers have a shard that is as long as the file's length needs at least. */
    private static int whole(ShardScan shards, Dispersal dispersal) {
        long least = shards.header()
                .map(header -> leastBytes(dispersal, header.bytes()))
                .orElse(Long.MAX_VALUE);
        return (int) IntStream.range(0, dispersal.keepers())
                .filter(i -> shards.headerOf(i).isPresent() && shards.bytesOf(i) >= least)
                .count();
    }

    /** Length of a shard whose groups are full but the last; any others make it longer. */
    private static long leastBytes(Dispersal dispersal, long fileBytes) {
        long full = (long) dispersal.data() * GroupFrame.CELL_BYTES;
        int last = (int) (fileBytes % full);
        int head = GroupFrame.headBytes(dispersal.keepers());
        return ShardHeader.BYTES
                + fileBytes / full * (head + GroupFrame.CELL_BYTES)
                + (last == 0 ? 0 : head + GroupFrame.cellBytes(dispersal.data(), last));
    }
}
