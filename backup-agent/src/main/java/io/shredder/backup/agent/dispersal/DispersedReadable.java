// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.engine.coding.ErasureCoder;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.Supplier;

/** A coded file that is read, cell by cell. What still waits in memory is found there. */
final class DispersedReadable implements ReadableFile {

    private final ShardScan shards;
    private final GroupReader reader;
    private final Groups groups;
    private final Supplier<Optional<DispersedAppendable>> growing;
    private volatile boolean closed;

    /** Where the last read ended. */
    private long lastEnd = -1;

    /**
     * Owns the shards.
     *
     * @param growing the file's writer, as long as there is one
     */
    DispersedReadable(
            StoredVersion version,
            ShardScan shards,
            Groups groups,
            ErasureCoder coder,
            Supplier<Optional<DispersedAppendable>> growing) {
        this.shards = shards;
        this.groups = groups;
        this.reader = new GroupReader(version, shards, coder);
        this.growing = growing;
    }

    @Override
    public long size() {
        return growing.get().map(DispersedAppendable::bytes).orElseGet(groups::bytes);
    }

    @Override
    public void readFully(ByteBuffer target, long position) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        long at = position;
        boolean goesOn = position == lastEnd;
        lastEnd = position + target.remaining();
        while (target.hasRemaining()) {
            int count = at < groups.bytes() ? readGroup(target, at, goesOn) : readWaiting(target, at);
            if (count == 0 && at >= groups.bytes()) {
                throw new EOFException("ends at " + at);
            }
            at += count;
        }
    }

    /** None if they don't wait any more; then a group has them, or nothing has. */
    private int readWaiting(ByteBuffer target, long at) {
        Optional<DispersedAppendable> writer = growing.get();
        return writer.isPresent() ? writer.get().readWaiting(target, at) : 0;
    }

    /** Where reads go on behind one another, the rest of the group is read with what is wanted. */
    private int readGroup(ByteBuffer target, long at, boolean goesOn) throws IOException {
        Groups.Group group = groups.at(at);
        GroupFrame frame = group.frame();
        int within = (int) (at - frame.offset());
        int index = within / frame.cellBytes();
        long cellAt = frame.offset() + (long) index * frame.cellBytes();
        int end = goesOn ? frame.bytes() : Math.min(frame.bytes(), within + target.remaining());
        BitSet wanted = new BitSet();
        wanted.set(index, (end - 1) / frame.cellBytes() + 1);
        reader.read(group, wanted);
        ByteBuffer cell = reader.cell(group, index);
        int from = (int) (at - cellAt);
        int count = Math.min(target.remaining(), Math.min(cell.remaining() - from, frame.bytes() - within));
        target.put(cell.slice(from, count));
        return count;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        shards.close();
    }
}
