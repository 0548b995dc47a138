// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.Members;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The shards of one version, opened at all keepers that have a sound header, side by side. Of a group that is taken for
 * true which most keepers say, if they are as many as give it back. For one thread, but for what is asked about cells
 * and keepers that are back, and for {@link #close}.
 */
public final class ShardScan implements Closeable {

    private final Keepers keepers;
    private final StoredVersion version;
    private final ShardOpenings openings;
    private final Map<Integer, Shard> shards;
    private final SilentKeepers silent;

    /** Heads that keepers said they have, by where they begin. */
    private final Map<Integer, Map<Long, GroupFrame.OfKeeper>> heads = new TreeMap<>();

    private ShardScan(Keepers keepers, StoredVersion version) {
        this.keepers = keepers;
        this.version = version;
        this.openings = new ShardOpenings(keepers, version);
        this.shards = openings.open();
        this.silent = openings.silent();
    }

    /** Opens those of all keepers, however slow they are. */
    public static ShardScan open(Keepers keepers, StoredVersion version) throws IOException {
        ShardScan scan = new ShardScan(keepers, version);
        scan.openings.awaitAll();
        return scan;
    }

    /** Opens those of as many keepers as are needed to read, and waits for no others that are late. */
    static ShardScan openQuickest(Keepers keepers, StoredVersion version) throws IOException {
        ShardScan scan = new ShardScan(keepers, version);
        scan.openings.awaitQuickest();
        return scan;
    }

    /** Who has not opened theirs yet, and the others. */
    ShardOpenings openings() {
        return openings;
    }

    /**
     * Refuses to go on with shards of too few keepers.
     *
     * @throws DamagedDataException if there are no more
     */
    public void requireEnough() throws IOException {
        int data = keepers.dispersal().data();
        if (shards.size() >= data) {
            return;
        }
        if (shards.size() + silent.count() >= data) {
            throw new IOException(version.name() + ": " + data + " keepers are needed and only " + shards.size()
                    + " can be read now: bring back keepers " + silent);
        }
        throw new DamagedDataException(
                version.name(), 0, "only " + shards.size() + " keepers have it and " + data + " are needed");
    }

    /** How many of the keepers that were to get something can't be asked now, or have not answered yet. */
    public int silentOf(Members members) {
        return openings.silentOf(members);
    }

    /** How many keepers have it. */
    public int shards() {
        return shards.size();
    }

    /** The keepers that have a sound header. */
    List<Keeper> holders() {
        return shards.values().stream().map(Shard::keeper).toList();
    }

    /** As most keepers say it, whose own number it has; empty if there are none. */
    public Optional<ShardHeader> header() {
        return ShardHeader.ofMost(shards.values().stream().map(Shard::header).toList());
    }

    /**
     * The same, once so many say it as decide, or all have answered: late ones could outvote one that lies. Empty if as
     * many say something else.
     */
    Optional<ShardHeader> decidedHeader() throws IOException {
        int known = openings.answers();
        while (agreeing() < keepers.dispersal().leastToDecide() && openings.awaitMore(known, () -> false)) {
            known = openings.answers();
        }
        return header().filter(most -> 2 * agreeing() > shards.size());
    }

    /** How many keepers say the header that most say. */
    private long agreeing() {
        Optional<ShardHeader> most = header();
        return shards.values().stream()
                .filter(shard -> most.isPresent() && shard.header().saysTheSame(most.get()))
                .count();
    }

    /** Whether a whole version, whose groups have so many bytes, has no more: by half of the keepers at least. */
    boolean hasLength(long bytes) throws IOException {
        int known = openings.answers();
        while (!isSaidToHave(bytes) && openings.awaitMore(known, () -> false)) {
            known = openings.answers();
        }
        return isSaidToHave(bytes);
    }

    private boolean isSaidToHave(long bytes) {
        long count = shards.values().stream()
                .filter(shard -> shard.header().bytes() == bytes)
                .count();
        return 2 * count >= shards.size();
    }

    /** What a keeper says in its header; empty if it has no sound one. */
    public Optional<ShardHeader> headerOf(int index) {
        return Optional.ofNullable(shards.get(index)).map(Shard::header);
    }

    /** Why a keeper has no sound header; empty if it has one. */
    public Optional<IOException> refused(int index) {
        return openings.refused(index);
    }

    /** Length of a keeper's shard, which must have a sound header. */
    public long bytesOf(int index) {
        return shard(index).bytes();
    }

    /** Reads of a keeper's shard, which must have a sound header, and tells nobody of what is wrong with it. */
    public ByteBuffer bytesOf(int index, long at, int length) throws IOException {
        return shard(index).read(at, length);
    }

    private Shard shard(int index) {
        Shard shard = shards.get(index);
        if (shard == null) {
            throw new IllegalArgumentException("keeper " + index + " has no shard");
        }
        return shard;
    }

    /**
     * All groups, up to the first that was never acknowledged and can't be read.
     *
     * @throws IOException if it can't be told what was acknowledged, since keepers are away
     */
    public Groups groups() throws IOException {
        Set<Keeper> heard = new HashSet<>();
        while (true) {
            try {
                return readGroups();
            } catch (IOException e) {
                if (!openings.hearAgain(heard, () -> false)) {
                    throw e;
                }
                heard.forEach(keeper -> heads.remove(keeper.index()));
            }
        }
    }

    private Groups readGroups() throws IOException {
        int known = openings.answers();
        readHeads();
        boolean more = true;
        while (more) {
            try {
                Optional<Groups> found = voted();
                if (found.isPresent()) {
                    return found.get();
                }
            } catch (IOException e) {
                if (heads.size() == shards.size() && openings.unanswered().isEmpty()) {
                    throw e;
                }
            }
            more = hearLateHeads() || openings.awaitMore(known, () -> false); // Those that are late decide.
            known = openings.answers();
        }
        return voted().orElseThrow();
    }

    /** Those whose heads did not come in time are asked for each; returns whether there are any more of them. */
    private boolean hearLateHeads() {
        boolean any = false;
        for (int index : shards.keySet()) {
            any |= heads.putIfAbsent(index, Map.of()) == null;
        }
        return any;
    }

    /** Asks for all heads at once, and waits for no keepers that are late, if others are enough to read. */
    private void readHeads() throws IOException {
        List<KeeperReads> open = quickest(0);
        var question = questions().firstHeads();
        try (AskedKeepers<Map<Long, GroupFrame.OfKeeper>> answers =
                new AskedKeepers<>(AskedKeepers.NOT_MEASURED, question, late -> {})) {
            open.forEach(answers::ask);
            while (answers.mustAwaitMore(keepers.dispersal().data() - heads.size())) {
                var next = answers.awaitUnlessLate();
                if (next.isPresent()) {
                    takeHeads(next.get());
                }
            }
        }
    }

    private void takeHeads(AskedKeepers.Answer<Map<Long, GroupFrame.OfKeeper>> answer) throws IOException {
        Keeper keeper = answer.keeper();
        try {
            heads.put(keeper.index(), answer.get());
        } catch (IOException e) {
            heads.put(keeper.index(), Map.of());
            silent.note(keeper, ShardHeader.BYTES, e);
        }
    }

    /** What those say whose heads are known; empty if the others could say something else. */
    private Optional<Groups> voted() throws IOException {
        Groups groups = new Groups();
        int data = keepers.dispersal().data();
        long at = ShardHeader.BYTES;
        while (true) {
            List<Map.Entry<GroupFrame, Integer>> votes = votes(at, groups);
            int late = late().cardinality();
            if (votes.isEmpty() && late < data) {
                return Optional.of(groups);
            }
            int most = votes.isEmpty() ? 0 : votes.get(0).getValue();
            int others = votes.size() < 2 ? 0 : votes.get(1).getValue();
            if (late > 0 && most - others <= late && most + late >= data) {
                return Optional.empty();
            }
            GroupFrame frame = votes.get(0).getKey();
            if (most < data) {
                BitSet unread = late();
                openings.unanswered().forEach(unread::clear); // They count as silent.
                requireUnacknowledged(most + frame.members().shared(unread), frame.members());
                return Optional.of(groups);
            }
            groups.add(new Groups.Group(frame, at));
            at += GroupFrame.headBytes(keepers.dispersal().keepers()) + frame.cellBytes();
        }
    }

    /** Keepers that may have something of which they have not said it yet. */
    private BitSet late() {
        BitSet late = new BitSet();
        openings.unanswered().forEach(late::set);
        shards.keySet().stream().filter(index -> !heads.containsKey(index)).forEach(late::set);
        return late;
    }

    /** What keepers say that the next group is, and how many, those first that most say. */
    private List<Map.Entry<GroupFrame, Integer>> votes(long at, Groups before) throws IOException {
        Map<GroupFrame, Integer> votes = new HashMap<>();
        for (int index : heads.keySet()) {
            frame(shard(index), at, before).ifPresent(frame -> votes.merge(frame, 1, Integer::sum));
        }
        return votes.entrySet().stream()
                .sorted(Map.Entry.<GroupFrame, Integer>comparingByValue().reversed())
                .toList();
    }

    private Optional<GroupFrame> frame(Shard shard, long at, Groups before) throws IOException {
        int headBytes = GroupFrame.headBytes(keepers.dispersal().keepers());
        if (at + headBytes > shard.bytes()) {
            return Optional.empty();
        }
        return head(shard, at)
                .map(GroupFrame.OfKeeper::frame)
                .filter(frame -> frame.group() == before.count() && frame.offset() == before.bytes())
                .filter(frame -> at + headBytes + frame.cellBytes() <= shard.bytes());
    }

    private Optional<GroupFrame.OfKeeper> head(Shard shard, long at) throws IOException {
        GroupFrame.OfKeeper known =
                heads.getOrDefault(shard.keeper().index(), Map.of()).get(at);
        if (known != null) {
            return Optional.of(known);
        }
        try {
            Optional<GroupFrame.OfKeeper> head = shard.head(at);
            if (head.isEmpty()) {
                shard.keeper().tell(version, at, "a frame's checksum is wrong");
            }
            return head;
        } catch (IOException e) {
            silent.note(shard.keeper(), at, e);
            return Optional.empty();
        }
    }

    /**
     * Refuses to take something for never acknowledged that may have been.
     *
     * @param found how many keepers have it
     */
    private void requireUnacknowledged(int found, Members members) throws IOException {
        Dispersal dispersal = keepers.dispersal();
        if (found + silentOf(members) >= dispersal.leastToChange()) {
            throw new IOException(version.name() + " may have more than " + found
                    + " keepers have of it that are there: bring back keepers " + silent);
        }
    }

    /** Whether so many keepers could be all that can be read now of a version that somebody was told of. */
    public boolean mayBeAcknowledged(int found) {
        int silentMembers =
                header().map(ShardHeader::members).map(this::silentOf).orElse(silent.count());
        return found + silentMembers >= keepers.dispersal().leastToChange();
    }

    /**
     * Whether what shards have from there on can't be read by any means, and nobody was told that it is there. While
     * they have it, and others are away, nobody could tell that.
     */
    public boolean isOfNoUseFrom(long at) {
        int longer = (int)
                shards.values().stream().filter(shard -> shard.bytes() > at).count();
        return longer < keepers.dispersal().data() && !mayBeAcknowledged(longer);
    }

    /** The keepers that have a sound header and can be asked for cells, the quickest first. */
    List<KeeperReads> quickest(long bytes) throws IOException {
        return openings.quickest(bytes);
    }

    /** What can be asked about the shards that are open now. */
    ShardQuestions questions() {
        return new ShardQuestions(version, Map.copyOf(shards));
    }

    /** Takes note of why a keeper that was to get a group can't give its cell. */
    void noteCell(Keeper keeper, Groups.Group group, IOException problem) throws ClosedChannelException {
        long at = group.at() + GroupFrame.headBytes(keepers.dispersal().keepers());
        if (!group.frame().members().has(keeper.index())) {
            return;
        }
        if (problem instanceof DamagedDataException damage && keeper.isThere()) {
            boolean within = damage.offset() >= at
                    && damage.offset() < at + group.frame().cellBytes();
            keeper.tell(version, within ? damage.offset() : at, damage.problem());
        } else {
            silent.note(keeper, at, problem);
        }
    }

    /** Waits for no read that is under way. */
    @Override
    public void close() throws IOException {
        openings.close();
    }
}
