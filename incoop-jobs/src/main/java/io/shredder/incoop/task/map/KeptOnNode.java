// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.map;

import io.shredder.incoop.config.Originals;
import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.memo.Dependency;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import io.shredder.incoop.memo.MemoEntry;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.memo.Reuse;
import io.shredder.incoop.task.MemoReaders;
import io.shredder.incoop.task.chunk.ChunkOutput;
import io.shredder.incoop.world.DependencyStates;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, in a map task, at output of its chunks that earlier runs have kept and that was made of files of their nodes,
 * programs for example. Such output stands if all of these are the same on this node, so that mapping the chunk here
 * would give it again. What else it depends on was looked at when the job was planned. One thread.
 */
final class KeptOnNode implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KeptOnNode.class);

    private final MemoReaders memos;
    private final DependencyStates states;
    private final int partitions;

    /**
     * @param conf the task's
     * @param partitions of the job's reduce side
     */
    KeptOnNode(MemoStore store, Configuration conf, int partitions) {
        this.memos = new MemoReaders(store);
        this.states = new DependencyStates(Originals.ownCopy(conf));
        this.partitions = partitions;
    }

    /**
     * Says that kept output of a chunk stands.
     *
     * @param kept where it lies; the first that stands is taken
     * @return an output of empty segments, with what was counted and what it was made of; nothing if the chunk has to
     *     be mapped
     */
    Optional<ChunkOutput> find(InputChunk chunk, List<MemoRef> kept) {
        for (MemoRef ref : kept) {
            try {
                MemoEntry entry = memos.entry(MemoKind.LEAVES, ref, chunk.fingerprint(), partitions);
                if (entry.reuse() == Reuse.REUSABLE && stands(entry)) {
                    return Optional.of(new ChunkOutput(
                            Reuse.STANDS,
                            Collections.nCopies(partitions, new byte[0]),
                            entry.counters(),
                            entry.dependencies()));
                }
            } catch (IOException e) {
                LOG.info("incoop: kept output of a chunk can't be used: {}", e.getMessage());
            }
        }
        return Optional.empty();
    }

    private boolean stands(MemoEntry entry) {
        List<Dependency> ofMachine = entry.dependencies().stream()
                .filter(one -> one.kind().isOfMachine())
                .toList();
        return states.hold(ofMachine);
    }

    @Override
    public void close() {
        memos.close();
    }
}
