// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.CellArrays;
import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.chunk.DamagedDataException;
import io.shredder.engine.coding.ErasureCoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads groups. Cells that are wanted are asked for where they are, side by side. Where a keeper is slow, or doesn't
 * have its cell, those of the quickest others are read, which any cell can be decoded of; and proved. If one that was
 * asked is late, another is asked beside, and what comes first is taken. For one thread, but for what takes
 * {@link CachedCells}: that may be done by several.
 */
public final class GroupReader {

    /** A keeper is slow if it takes so many times, and so much, longer than others that could take its place. */
    private static final int TIMES_SLOWER = 2;

    private static final long SLOWER_NS = 3_000_000;

    private final StoredVersion version;
    private final ShardScan shards;
    private final ErasureCoder coder;
    private final int data;
    private final BooleanSupplier ended;
    private @Nullable CachedCells last;

    public GroupReader(StoredVersion version, ShardScan shards, ErasureCoder coder) {
        this(version, shards, coder, () -> false);
    }

    /** @param ended whether nobody wants anything any more */
    GroupReader(StoredVersion version, ShardScan shards, ErasureCoder coder, BooleanSupplier ended) {
        this.ended = ended;
        this.version = version;
        this.shards = shards;
        this.coder = coder;
        this.data = coder.code().data();
    }

    /**
     * A cell of a group; those of the last group are kept.
     *
     * @throws DamagedDataException if too few cells of the group are sound
     */
    public ByteBuffer cell(Groups.Group group, int index) throws IOException {
        BitSet one = new BitSet();
        one.set(index);
        CachedCells cells = begin(group);
        read(cells, one);
        return cells.get(index);
    }

    /**
     * Reads these cells of a group, or waits for who does.
     *
     * @throws DamagedDataException if too few cells of the group are sound
     */
    void read(CachedCells cells, BitSet wanted) throws IOException {
        if (cells.missing(wanted).isEmpty()) {
            return;
        }
        cells.reading.lock();
        try {
            OptionalInt silent = gather(cells, wanted);
            if (silent.isPresent()) {
                throw tooFew(cells, wanted, silent.getAsInt());
            }
            decodeMissing(cells, wanted);
        } finally {
            cells.reading.unlock();
        }
    }

    /** Does so before anybody wants them, unless somebody does it already, or enough keepers are not there at once. */
    void readAhead(CachedCells cells, BitSet wanted) throws IOException {
        if (cells.reading.tryLock()) {
            try {
                if (gather(cells, wanted, new HashMap<>())) {
                    decodeMissing(cells, wanted);
                }
            } finally {
                cells.reading.unlock();
            }
        }
    }

    /** All at once: what they are decoded of is read once, and their digests are computed side by side. */
    private void decodeMissing(CachedCells cells, BitSet wanted) throws IOException {
        int[] missing = cells.missing(wanted).stream().toArray();
        if (missing.length == 0) {
            return;
        }
        GroupFrame frame = cells.frame();
        Map<Integer, ByteBuffer> decoded = new TreeMap<>();
        for (int index : missing) {
            decoded.put(index, CellArrays.shared().take(frame.cellBytes()));
        }
        coder.decode(cells.all(), missing, decoded.values().toArray(ByteBuffer[]::new));
        if (frame.proved(decoded).cardinality() < missing.length) {
            throw new DamagedDataException(version.name(), frame.offset(), "what was decoded is not what was written");
        }
        decoded.forEach(cells::put);
    }

    private CachedCells begin(Groups.Group group) {
        CachedCells known = last;
        CachedCells cells = known != null && known.group().equals(group)
                ? known
                : new CachedCells(group, coder.code().shards());
        last = cells;
        return cells;
    }

    /** Whether these are there, or would be with others, or could be decoded then. */
    private boolean hasAll(CachedCells cells, BitSet wanted, BitSet others) {
        BitSet missing = cells.missing(wanted);
        missing.andNot(others);
        return missing.isEmpty() || cells.count() + others.cardinality() >= data;
    }

    /**
     * Reads until these are there or can be decoded.
     *
     * @return empty if they are; else how many of those who were to get the group could not be asked
     */
    private OptionalInt gather(CachedCells cells, BitSet wanted) throws IOException {
        Map<Keeper, Shard> asked = new HashMap<>();
        Set<Keeper> heard = new HashSet<>();
        ShardOpenings openings = shards.openings();
        while (true) {
            int known = openings.answers();
            if (gather(cells, wanted, asked)) {
                return OptionalInt.empty();
            }
            int silent = shards.silentOf(cells.frame().members());
            // With each that was late to open its shard, and then with those that are back, whoever heard of them.
            boolean more = openings.awaitMore(known, ended)
                    || openings.hearAgain(heard, () -> ended.getAsBoolean() || openings.hasMore(known))
                    || openings.awaitMore(known, ended);
            if (!more) {
                return OptionalInt.of(silent);
            }
        }
    }

    /** @param asked what was open at those that were asked before: who has opened it again is asked again */
    private boolean gather(CachedCells cells, BitSet wanted, Map<Keeper, Shard> asked) throws IOException {
        Map<Integer, Shard> open = Map.copyOf(shards.openings().open());
        Deque<KeeperReads> left = new ArrayDeque<>();
        for (KeeperReads reads : order(cells.frame().cellBytes(), wanted)) {
            Shard shard = open.get(reads.keeper().index());
            boolean isNew = shard != null && !shard.equals(asked.get(reads.keeper()));
            if (isNew && !cells.has(reads.keeper().index())) {
                left.add(reads);
            }
        }
        BitSet none = new BitSet();
        try (AskedCells answers = new AskedCells(cells, shards)) {
            while (!hasAll(cells, wanted, none)) {
                while (!hasAll(cells, wanted, answers.expected()) && !left.isEmpty()) {
                    ask(answers, left.remove(), open, asked);
                }
                if (hasAll(cells, wanted, answers.unproved()) || !answers.areUnderWay()) {
                    if (answers.unproved().isEmpty()) {
                        answers.awaitExplanations();
                        return hasAll(cells, wanted, none);
                    }
                    answers.prove();
                } else if (!answers.take(!left.isEmpty())) {
                    ask(answers, left.remove(), open, asked);
                }
            }
            answers.probe(left);
        }
        return true;
    }

    private static void ask(AskedCells answers, KeeperReads reads, Map<Integer, Shard> open, Map<Keeper, Shard> asked) {
        Optional.ofNullable(open.get(reads.keeper().index())).ifPresent(shard -> asked.put(reads.keeper(), shard));
        answers.ask(reads);
    }

    /** Whom to ask, one after the other: those that have what is wanted and are not slow, then the quickest. */
    private List<KeeperReads> order(int bytes, BitSet wanted) throws IOException {
        List<KeeperReads> quickest = shards.quickest(bytes);
        if (quickest.isEmpty()) {
            return quickest;
        }
        long nowNs = System.nanoTime();
        double needed = quickest.get(Math.min(data, quickest.size()) - 1).pace().expectedNs(bytes, nowNs);
        double slow = TIMES_SLOWER * needed + SLOWER_NS;
        List<KeeperReads> order = new ArrayList<>();
        for (KeeperReads reads : quickest) {
            boolean has = wanted.get(reads.keeper().index()) && reads.keeper().isWhole();
            if (has && reads.pace().expectedNs(bytes, nowNs) <= slow) {
                order.add(reads);
            }
        }
        quickest.stream().filter(reads -> !order.contains(reads)).forEach(order::add);
        return order;
    }

    private IOException tooFew(CachedCells cells, BitSet wanted, int silent) {
        GroupFrame frame = cells.frame();
        int count = cells.count();
        if (count + silent >= data) {
            return new IOException(version.name() + ": " + data + " keepers are needed and only " + count
                    + " can be read now: bring back the others");
        }
        int first = cells.missing(wanted).nextSetBit(0);
        return new DamagedDataException(
                version.name(),
                frame.offset() + (long) first * frame.cellBytes(),
                "of " + coder.code().shards() + " keepers " + data + " are needed, and " + count + " have it");
    }

    /**
     * Whether the group can be read.
     *
     * @throws IOException if it can't be, but perhaps could be with keepers that can't be asked now
     */
    public boolean isSound(Groups.Group group, int leastToChange) throws IOException {
        CachedCells cells = begin(group);
        BitSet all = new BitSet();
        all.set(0, coder.code().shards());
        OptionalInt silent = gather(cells, all);
        int count = cells.count();
        if (silent.isPresent() && count + silent.getAsInt() >= leastToChange) {
            throw new IOException(version.name() + ": only " + count + " keepers can be read now of what may have been"
                    + " acknowledged: bring back the others");
        }
        return silent.isEmpty();
    }
}
