// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.CellArrays;
import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Keepers that are asked for their cells of a group. What comes is proved together, since digests of several are
 * computed side by side. A keeper whose cell is not what was written is asked what is wrong with it, and named. For one
 * thread.
 */
final class AskedCells implements Closeable {

    /** So long somebody who has read waits at most for what is wrong with a cell. */
    private static final long WRONG_WAIT_NS = 1_000_000_000;

    private final CachedCells cells;
    private final ShardScan shards;
    private final ShardQuestions questions;
    private final AskedKeepers<ByteBuffer> answers;
    private final Map<Integer, KeeperReads> asked = new TreeMap<>();
    private final Map<Integer, ByteBuffer> unproved = new TreeMap<>();
    private final List<CompletableFuture<Boolean>> explained = new ArrayList<>();

    /** Asks nobody yet. Proved cells go to {@code cells}. */
    AskedCells(CachedCells cells, ShardScan shards) {
        this.cells = cells;
        this.shards = shards;
        this.questions = shards.questions();
        this.answers = new AskedKeepers<>(
                cells.frame().cellBytes(), questions.cell(cells.group()), CellArrays.shared()::giveBack);
    }

    /** Asks one more. */
    void ask(KeeperReads reads) {
        asked.put(reads.keeper().index(), reads);
        answers.ask(reads);
    }

    /** Those whose cells have come and are not proved. */
    BitSet unproved() {
        BitSet indexes = new BitSet();
        unproved.keySet().forEach(indexes::set);
        return indexes;
    }

    /** The same, and those that have not answered. */
    BitSet expected() {
        BitSet expected = unproved();
        answers.unanswered().forEach(expected::set);
        return expected;
    }

    /** Whether one has not answered. */
    boolean areUnderWay() {
        return answers.outstanding() > 0;
    }

    /**
     * Takes the next answer.
     *
     * @param untilLate not to wait any more for one that is late
     * @return whether there was one
     */
    boolean take(boolean untilLate) throws ClosedChannelException {
        Optional<AskedKeepers.Answer<ByteBuffer>> next =
                untilLate ? answers.awaitUnlessLate() : Optional.of(answers.await());
        if (next.isPresent()) {
            take(next.get());
        }
        return next.isPresent();
    }

    private void take(AskedKeepers.Answer<ByteBuffer> answer) throws ClosedChannelException {
        try {
            unproved.put(answer.keeper().index(), answer.get());
        } catch (IOException e) {
            shards.noteCell(answer.keeper(), cells.group(), e);
        }
    }

    /** Proves what has come. */
    void prove() {
        BitSet proved = cells.frame().proved(unproved);
        unproved.forEach((index, cell) -> {
            if (proved.get(index)) {
                cells.put(index, cell);
            } else {
                askWhatIsWrong(index);
            }
        });
        unproved.clear();
    }

    /** The keeper is named by whoever hears the answer, also if nobody waits for it any more. */
    private void askWhatIsWrong(int index) {
        KeeperReads reads = Optional.ofNullable(asked.get(index)).orElseThrow();
        GroupFrame frame = cells.frame();
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        explained.add(done);
        reads.ask(frame.cellBytes(), questions.provedCell(cells.group()), (cell, problem) -> {
            try {
                if (cell != null) {
                    cells.put(index, cell);
                    shards.noteCell(reads.keeper(), cells.group(), onlyOnce(reads.keeper()));
                } else if (problem instanceof IOException failure) {
                    shards.noteCell(reads.keeper(), cells.group(), failure);
                }
                done.complete(true);
            } catch (ClosedChannelException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
    }

    private DamagedDataException onlyOnce(Keeper keeper) {
        return new DamagedDataException(
                keeper.home().toString(),
                cells.group().at(),
                "a cell was wrong when it was read first, and is sound now");
    }

    /** Waits a moment for what is wrong with cells that came. */
    void awaitExplanations() {
        long endNs = System.nanoTime() + WRONG_WAIT_NS;
        for (CompletableFuture<Boolean> each : explained) {
            await(each, endNs);
        }
        explained.clear();
    }

    private static void await(CompletableFuture<Boolean> explained, long endNs) {
        try {
            explained.get(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return; // It is named later, or the file was closed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks those that were not asked for a while beside, so that it is known how they stand. */
    void probe(Collection<KeeperReads> others) {
        others.forEach(
                reads -> reads.probe(cells.frame().cellBytes(), questions.cell(cells.group()), (cell, problem) -> {}));
    }

    @Override
    public void close() {
        answers.close();
        awaitExplanations();
    }
}
