// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Questions to keepers about their shards of a version. They may be asked in any thread.
 *
 * @param open shards by the keeper's number; who has none here has no shard
 */
record ShardQuestions(StoredVersion version, Map<Integer, Shard> open) {

    private Shard at(Keeper keeper) throws NoSuchFileException {
        Shard shard = open.get(keeper.index());
        if (shard == null) {
            throw new NoSuchFileException(version.file());
        }
        return shard;
    }

    KeeperReads.Question<Map<Long, GroupFrame.OfKeeper>> firstHeads() {
        return keeper -> at(keeper).firstHeads();
    }

    /** For the keeper's cell of a group, proved, or what is wrong with it. */
    KeeperReads.Question<ByteBuffer> provedCell(Groups.Group group) {
        return keeper -> at(keeper).cell(group);
    }

    /** For the bytes where the keeper's cell of a group is, whatever they are. */
    KeeperReads.Question<ByteBuffer> cell(Groups.Group group) {
        return new KeeperReads.Question<>() {
            @Override
            public ByteBuffer ask(Keeper keeper) throws IOException {
                return at(keeper).bytesOf(group);
            }

            @Override
            public Optional<CompletableFuture<ByteBuffer>> askBeside(Keeper keeper) throws IOException {
                return at(keeper).ask(group);
            }
        };
    }
}
