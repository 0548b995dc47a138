// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.Checks;
import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.Members;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.storage.AppendableFile;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.coding.ErasureCoder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Codes groups and appends their frames to the shards of one version. For one thread. */
final class GroupWriter implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(GroupWriter.class);

    private final Keepers keepers;
    private final StoredVersion version;
    private final ErasureCoder coder;

    /** By those that have missed nothing as long as they take changes: one that comes back is another one. */
    private final Map<Keeper, AppendableFile> shards = new ConcurrentHashMap<>();

    private final Groups groups = new Groups();
    private long at = ShardHeader.BYTES;
    private boolean showsAtOnce;

    private GroupWriter(Keepers keepers, StoredVersion version, ErasureCoder coder) {
        this.keepers = keepers;
        this.version = version;
        this.coder = coder;
    }

    /**
     * Makes the shards, durably.
     *
     * @param bytes length of the file, or 0 if it is not known
     */
    static GroupWriter create(Keepers keepers, StoredVersion version, long bytes, ErasureCoder coder)
            throws IOException {
        GroupWriter writer = new GroupWriter(keepers, version, coder);
        List<Keeper> chosen = keepers.changeable();
        Members members = Keepers.members(chosen);
        String file = version.file() + (version.kind() == StoredVersion.Kind.CODED ? StoredVersion.PART : "");
        try {
            keepers.change(chosen, keeper -> {
                ShardHeader header = new ShardHeader(keepers.dispersal(), keeper.index(), version, members, bytes);
                writer.shards.put(keeper, keeper.begin(file, header.encoded()));
            });
        } catch (IOException e) {
            writer.close();
            throw e;
        }
        writer.showsAtOnce = writer.shards.values().stream().allMatch(AppendableFile::showsAtOnce);
        return writer;
    }

    Groups groups() {
        return groups;
    }

    /** Those that have it. Who of them failed a change misses something. */
    Collection<Keeper> holders() {
        return Set.copyOf(shards.keySet());
    }

    /** Appends a group of all that remains, at least a byte and at most a full group. It does not count yet. */
    Groups.Group send(ByteBuffer bytes) throws IOException {
        int length = bytes.remaining();
        ByteBuffer[] cells = cells(bytes);
        List<Fingerprint> digests = Checks.cellDigests(List.of(cells));
        GroupFrame frame = new GroupFrame(
                cells[0].remaining(), groups.count(), groups.bytes(), length, Keepers.members(holders()), digests);
        keepers.change(holders(), keeper -> {
            AppendableFile shard = shard(keeper);
            ByteBuffer cell = cells[keeper.index()];
            ByteBuffer head = frame.encoded(cell);
            ByteBuffer both = ByteBuffer.allocate(head.remaining() + cell.remaining());
            shard.append(both.put(head).put(cell.duplicate()).flip());
        });
        Groups.Group group = new Groups.Group(frame, at);
        at += GroupFrame.headBytes(cells.length) + frame.cellBytes();
        return group;
    }

    /** Where the bytes of a file come from. */
    @FunctionalInterface
    interface Source {
        void readFully(ByteBuffer target, long position) throws IOException;
    }

    /** Writes a whole file, forces it, and gives it its name. */
    void sendAll(long bytes, Source source) throws IOException {
        ByteBuffer group = ByteBuffer.allocate(coder.code().data() * GroupFrame.CELL_BYTES);
        for (long at = 0; at < bytes; at += group.limit()) {
            group.clear().limit((int) Math.min(group.capacity(), bytes - at));
            source.readFully(group, at);
            count(send(group.flip()));
        }
        force();
        finish();
    }

    /** Lets readers find a group that was sent. */
    void count(Groups.Group group) {
        groups.add(group);
    }

    private ByteBuffer[] cells(ByteBuffer bytes) throws IOException {
        int data = coder.code().data();
        int cellBytes = GroupFrame.cellBytes(data, bytes.remaining());
        ByteBuffer padded = ByteBuffer.allocate(cellBytes * coder.code().shards());
        padded.put(bytes.duplicate());
        bytes.position(bytes.limit());
        ByteBuffer[] cells = IntStream.range(0, coder.code().shards())
                .mapToObj(i -> padded.slice(i * cellBytes, cellBytes))
                .toArray(ByteBuffer[]::new);
        coder.encode(Arrays.copyOf(cells, data), Arrays.copyOfRange(cells, data, cells.length));
        return cells;
    }

    private AppendableFile shard(Keeper keeper) throws IOException {
        AppendableFile shard = shards.get(keeper);
        if (shard == null) {
            throw new IOException("keeper " + keeper + " has no shard of " + version);
        }
        return shard;
    }

    void writeBehind() throws IOException {
        keepers.change(holders(), keeper -> shard(keeper).writeBehind());
    }

    void force() throws IOException {
        keepers.change(holders(), keeper -> shard(keeper).force());
    }

    /** Lets readers find all that was appended. */
    void show() throws IOException {
        keepers.change(holders(), keeper -> shard(keeper).show());
    }

    /** Whether readers always find what was appended. */
    boolean showsAtOnce() {
        return showsAtOnce;
    }

    /** Ends the shards of a whole, forced file and gives them their names. */
    private void finish() throws IOException {
        keepers.change(holders(), keeper -> {
            shard(keeper).close();
            keeper.finish(version);
        });
    }

    @Override
    public void close() {
        shards.forEach((keeper, shard) -> {
            try {
                shard.close();
            } catch (IOException e) {
                LOG.warn("{} could not be closed at keeper {}: {}", version, keeper, e.getMessage());
            }
        });
    }
}
