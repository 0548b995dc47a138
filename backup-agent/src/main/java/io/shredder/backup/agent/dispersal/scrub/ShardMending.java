// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.scrub;

import io.shredder.backup.agent.dispersal.DispersedStorage;
import io.shredder.backup.agent.dispersal.GroupReader;
import io.shredder.backup.agent.dispersal.Keeper;
import io.shredder.backup.agent.dispersal.ShardScan;
import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;

/**
 * Writes a keeper's shard of one version anew: in a part beside it, of the keeper's own sound cells and those that the
 * others' are decoded to, which is read again before it takes the shard's place. For one thread.
 */
final class ShardMending {

    private final DispersedStorage storage;
    private final StoredVersion version;
    private final ShardScan shards;
    private final GroupReader reader;

    /** Of shards whose header is known. */
    ShardMending(DispersedStorage storage, StoredVersion version, ShardScan shards) {
        this.storage = storage;
        this.version = version;
        this.shards = shards;
        this.reader = new GroupReader(version, shards, storage.coder());
    }

    /** Is told how many bytes were written; may end it. */
    @FunctionalInterface
    interface Wrote {
        void bytes(int more) throws IOException;
    }

    /**
     * Does it.
     *
     * @param groups all that the shard shall have
     * @param wrote is told how many bytes were written, after each group
     * @return whether the version still counts; else the keeper doesn't get it
     */
    boolean mend(Keeper keeper, List<Groups.Group> groups, Wrote wrote) throws IOException {
        ShardHeader header = shards.header().orElseThrow().at(keeper.index());
        Instant modified = storage.lastModified(version.name());
        int epoch = storage.keepers().epoch();
        keeper.requireWriter(epoch);
        boolean given = false;
        try {
            try (AppendableFile file = keeper.begin(version.file() + StoredVersion.PART, header.encoded())) {
                for (Groups.Group group : groups) {
                    ByteBuffer cell = reader.cell(group, keeper.index());
                    file.append(group.frame().encoded(cell));
                    file.append(cell.duplicate());
                    wrote.bytes(frameBytes(group));
                }
                file.force();
            }
            prove(keeper, header, groups);
            keeper.requireWriter(epoch);
            given = storage.versions().giveWhileItCounts(version, keeper, () -> keeper.finish(version, modified));
            return given;
        } finally {
            if (!given) {
                keeper.removePart(version);
            }
        }
    }

    private int frameBytes(Groups.Group group) {
        return GroupFrame.headBytes(storage.keepers().dispersal().keepers())
                + group.frame().cellBytes();
    }

    /** Reads what was written again, before it takes the place of something else. */
    private void prove(Keeper keeper, ShardHeader header, List<Groups.Group> groups) throws IOException {
        String part = version.file() + StoredVersion.PART;
        try (ReadableFile file = keeper.storage().open(part)) {
            long end = ShardHeader.BYTES;
            boolean same = read(file, 0, ShardHeader.BYTES).equals(header.encoded());
            for (Groups.Group group : groups) {
                GroupFrame frame = group.frame();
                int headBytes = frameBytes(group) - frame.cellBytes();
                ByteBuffer cell = read(file, group.at() + headBytes, frame.cellBytes());
                same &= frame.proves(keeper.index(), cell);
                same &= read(file, group.at(), headBytes).equals(frame.encoded(cell));
                end = group.at() + frameBytes(group);
            }
            if (!same || file.size() != end) {
                throw new DamagedDataException(part, 0, "what was written is not what is read");
            }
        }
    }

    private static ByteBuffer read(ReadableFile file, long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        file.readFully(bytes, at);
        return bytes.flip();
    }
}
