// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.Members;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The shards of one version, opened at all keepers that have a sound header. Of a group that is taken for true which
 * most keepers say, if they are as many as give it back. For one thread.
 */
public final class ShardScan implements Closeable {

    private final Keepers keepers;
    private final StoredVersion version;
    private final Map<Integer, Shard> shards = new TreeMap<>();

    /** Keepers that can't be asked now, so that nothing follows from what they don't say. */
    private final BitSet silent;

    /** Why keepers have no shard here. */
    private final Map<Integer, IOException> refused = new TreeMap<>();

    private record Shard(Keeper keeper, ReadableFile file, long bytes, ShardHeader header) {}

    private ShardScan(Keepers keepers, StoredVersion version) {
        this.keepers = keepers;
        this.version = version;
        this.silent = keepers.away();
    }

    public static ShardScan open(Keepers keepers, StoredVersion version) throws IOException {
        ShardScan scan = new ShardScan(keepers, version);
        for (Keeper keeper : keepers.all()) {
            scan.openAt(keeper);
        }
        return scan;
    }

    private void openAt(Keeper keeper) throws ClosedChannelException {
        try {
            ReadableFile file = keeper.storage().open(version.file());
            try {
                ByteBuffer head = ByteBuffer.allocate(ShardHeader.BYTES);
                file.readFully(head, 0);
                ShardHeader header =
                        ShardHeader.read(keepers.dispersal(), keeper.index(), version, version.toString(), head.flip());
                shards.put(keeper.index(), new Shard(keeper, file, file.size(), header));
            } catch (IOException e) {
                file.close();
                throw e;
            }
        } catch (IOException e) {
            refused.put(keeper.index(), e);
            note(keeper, 0, e);
        }
    }

    /** A keeper has something else than it was given, or can't be asked, or never got it. */
    private void note(Keeper keeper, long at, IOException problem) throws ClosedChannelException {
        if (problem instanceof ClosedChannelException closed) {
            throw closed;
        }
        boolean missing = problem instanceof NoSuchFileException;
        boolean says = missing || problem instanceof EOFException || problem instanceof DamagedDataException;
        if (missing && !keeper.isWhole()) {
            silent.set(keeper.index());
        } else if (!says || !keeper.isThere()) {
            silent.set(keeper.index());
            keeper.tellSilent(problem);
        } else if (!missing) {
            keeper.tell(version, at, String.valueOf(problem.getMessage()));
        }
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
        if (shards.size() + silent.cardinality() >= data) {
            throw new IOException(version.name() + ": " + data + " keepers are needed and only " + shards.size()
                    + " can be read now: bring back keepers " + silent);
        }
        throw new DamagedDataException(
                version.name(), 0, "only " + shards.size() + " keepers have it and " + data + " are needed");
    }

    /** How many of the keepers that were to get something can't be asked now. */
    public int silentOf(Members members) {
        return members.shared(silent);
    }

    /** How many keepers have it. */
    public int shards() {
        return shards.size();
    }

    /** As most keepers say it, whose own number it has; empty if there are none. */
    public Optional<ShardHeader> header() {
        Map<Integer, Integer> votes = new TreeMap<>();
        for (Shard shard : shards.values()) {
            int same = (int) shards.values().stream()
                    .filter(other -> shard.header().saysTheSame(other.header()))
                    .count();
            votes.put(shard.keeper().index(), same);
        }
        return votes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(most -> shards.get(most.getKey()))
                .map(Shard::header);
    }

    /** What a keeper says in its header; empty if it has no sound one. */
    public Optional<ShardHeader> headerOf(int index) {
        return Optional.ofNullable(shards.get(index)).map(Shard::header);
    }

    /** Why a keeper has no sound header; empty if it has one. */
    public Optional<IOException> refused(int index) {
        return Optional.ofNullable(refused.get(index));
    }

    /** Length of a keeper's shard, which must have a sound header. */
    public long bytesOf(int index) {
        return shard(index).bytes();
    }

    /** Reads of a keeper's shard, which must have a sound header, and tells nobody of what is wrong with it. */
    public ByteBuffer bytesOf(int index, long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        shard(index).file().readFully(bytes, at);
        return bytes.flip();
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
        Groups groups = new Groups();
        int data = keepers.dispersal().data();
        long at = ShardHeader.BYTES;
        while (true) {
            Map<GroupFrame, Integer> votes = votes(at, groups);
            Optional<Map.Entry<GroupFrame, Integer>> most =
                    votes.entrySet().stream().max(Map.Entry.comparingByValue());
            if (most.isEmpty()) {
                return groups;
            }
            GroupFrame frame = most.get().getKey();
            if (most.get().getValue() < data) {
                requireUnacknowledged(most.get().getValue(), frame.members());
                return groups;
            }
            groups.add(new Groups.Group(frame, at));
            at += GroupFrame.headBytes(keepers.dispersal().keepers()) + frame.cellBytes();
        }
    }

    /** What keepers say that the next group is. */
    private Map<GroupFrame, Integer> votes(long at, Groups before) throws IOException {
        Map<GroupFrame, Integer> votes = new HashMap<>();
        for (Shard shard : shards.values()) {
            frame(shard, at, before).ifPresent(frame -> votes.merge(frame, 1, Integer::sum));
        }
        return votes;
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
        Dispersal dispersal = keepers.dispersal();
        ByteBuffer head = ByteBuffer.allocate(GroupFrame.headBytes(dispersal.keepers()));
        try {
            shard.file().readFully(head, at);
        } catch (IOException e) {
            note(shard.keeper(), at, e);
            return Optional.empty();
        }
        Optional<GroupFrame.OfKeeper> frame = GroupFrame.decoded(dispersal.data(), dispersal.keepers(), head.flip());
        if (frame.isEmpty()) {
            shard.keeper().tell(version, at, "a frame's checksum is wrong");
        }
        return frame;
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
                header().map(ShardHeader::members).map(this::silentOf).orElse(silent.cardinality());
        return found + silentMembers >= keepers.dispersal().leastToChange();
    }

    /**
     * Reads the cell of a keeper; empty, and told, if it isn't there or isn't what the frame says.
     *
     * @throws ClosedChannelException if this was closed
     */
    public Optional<ByteBuffer> cell(Groups.Group group, int index) throws IOException {
        Shard shard = shards.get(index);
        if (shard == null) {
            return Optional.empty();
        }
        GroupFrame frame = group.frame();
        long at = group.at() + GroupFrame.headBytes(keepers.dispersal().keepers());
        ByteBuffer cell = ByteBuffer.allocate(frame.cellBytes());
        try {
            shard.file().readFully(cell, at);
        } catch (IOException e) {
            if (frame.members().has(index)) {
                note(shard.keeper(), at, e);
            }
            return Optional.empty();
        }
        cell.flip();
        if (frame.proves(index, cell)) {
            return Optional.of(cell);
        }
        if (frame.members().has(index)) {
            Optional<Integer> within = head(shard, group.at()).flatMap(own -> own.firstDamage(cell));
            shard.keeper()
                    .tell(
                            version,
                            at + within.orElse(0),
                            within.isPresent()
                                    ? "a cell's checksum is wrong"
                                    : "a cell has a sound checksum and is not what the keeper was given");
        }
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        for (Shard shard : shards.values()) {
            shard.file().close();
        }
    }
}
