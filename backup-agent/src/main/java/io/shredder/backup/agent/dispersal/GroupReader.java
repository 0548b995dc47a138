// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.chunk.DamagedDataException;
import io.shredder.engine.coding.ErasureCoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads groups: data cells where they are sound, else decoded of any that are, and proved. For one thread. */
public final class GroupReader {

    private final StoredVersion version;
    private final ShardScan shards;
    private final ErasureCoder coder;
    private final int data;
    private Groups.@Nullable Group last;
    private @Nullable ByteBuffer[] cells = new ByteBuffer[0];

    public GroupReader(StoredVersion version, ShardScan shards, ErasureCoder coder) {
        this.version = version;
        this.shards = shards;
        this.coder = coder;
        this.data = coder.code().data();
    }

    /**
     * The data cell of a group; those of the last group are kept.
     *
     * @throws DamagedDataException if too few cells of the group are sound
     */
    public ByteBuffer cell(Groups.Group group, int index) throws IOException {
        if (!group.equals(last)) {
            last = group;
            cells = new ByteBuffer[coder.code().shards()];
        }
        Optional<ByteBuffer> plain = kept(group, index);
        return plain.isPresent() ? plain.get() : decoded(group, index);
    }

    private Optional<ByteBuffer> kept(Groups.Group group, int index) throws IOException {
        if (cells[index] == null) {
            cells[index] = shards.cell(group, index).orElse(null);
        }
        return Optional.ofNullable(cells[index]);
    }

    private ByteBuffer decoded(Groups.Group group, int index) throws IOException {
        @Nullable ByteBuffer[] sound = new ByteBuffer[coder.code().shards()];
        int count = 0;
        for (int i = 0; i < sound.length && count < data; i++) {
            sound[i] = i == index ? null : kept(group, i).orElse(null);
            count += sound[i] == null ? 0 : 1;
        }
        GroupFrame frame = group.frame();
        if (count < data && count + shards.silentOf(frame.members()) >= data) {
            throw new IOException(version.name() + ": " + data + " keepers are needed and only " + count
                    + " can be read now: bring back the others");
        }
        if (count < data) {
            throw new DamagedDataException(
                    version.name(),
                    frame.offset() + (long) index * frame.cellBytes(),
                    "of " + coder.code().shards() + " keepers " + data + " are needed, and " + count + " have it");
        }
        ByteBuffer cell = ByteBuffer.allocate(frame.cellBytes());
        coder.decode(sound, new int[] {index}, new ByteBuffer[] {cell});
        if (!frame.proves(index, cell)) {
            throw new DamagedDataException(version.name(), frame.offset(), "what was decoded is not what was written");
        }
        return cell;
    }

    /**
     * Whether the group can be read.
     *
     * @throws IOException if it can't be, but perhaps could be with keepers that can't be asked now
     */
    public boolean isSound(Groups.Group group, int leastToChange) throws IOException {
        int sound = 0;
        for (int i = 0; i < coder.code().shards() && sound < data; i++) {
            sound += shards.cell(group, i).isPresent() ? 1 : 0;
        }
        if (sound < data && sound + shards.silentOf(group.frame().members()) >= leastToChange) {
            throw new IOException(version.name() + ": only " + sound + " keepers can be read now of what may have been"
                    + " acknowledged: bring back the others");
        }
        return sound >= data;
    }
}
