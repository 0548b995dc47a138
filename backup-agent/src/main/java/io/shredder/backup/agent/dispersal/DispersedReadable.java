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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coded file that is read, cell by cell. Where reads go on behind one another, by this reader or others of the file,
 * whole groups are read, and the next ones ahead. What still waits in memory is found there.
 */
final class DispersedReadable implements ReadableFile {

    private static final Logger LOG = LoggerFactory.getLogger(DispersedReadable.class);

    /** So much is read ahead, if the file has it: what may be under way while a keeper far away answers. */
    private static final int AHEAD_BYTES = 2 << 20;

    private final StoredVersion version;
    private final OpenShards.Shared shards;
    private final GroupReader reader;
    private final CellsCache cache;
    private final Groups groups;
    private final Supplier<Optional<DispersedAppendable>> growing;
    private volatile boolean closed;

    /**
     * Closes the shards when it is closed.
     *
     * @param cache of all files of the storage
     * @param growing the file's writer, as long as there is one
     */
    DispersedReadable(
            StoredVersion version,
            OpenShards.Shared shards,
            ErasureCoder coder,
            CellsCache cache,
            Supplier<Optional<DispersedAppendable>> growing) {
        this.version = version;
        this.cache = cache;
        this.shards = shards;
        this.groups = shards.groups();
        this.reader = new GroupReader(version, shards.shards(), coder, () -> closed);
        this.growing = growing;
        cache.open(version);
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
        boolean goesOn = cache.goesOn(version, position, position + target.remaining());
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
        int end = goesOn ? frame.bytes() : Math.min(frame.bytes(), within + target.remaining());
        if (goesOn) {
            readAhead(frame.offset() + frame.bytes());
        }
        int from = within - index * frame.cellBytes();
        int count = Math.min(target.remaining(), Math.min(frame.cellBytes() - from, frame.bytes() - within));
        CachedCells cells = cache.get(version, group);
        try {
            reader.read(cells, cellsOf(frame, within, end));
            target.put(cells.get(index).slice(from, count));
            cache.gaveOut(version, cells, count);
        } finally {
            cells.release();
        }
        return count;
    }

    /** The cells of these bytes of a group. */
    private static BitSet cellsOf(GroupFrame frame, int from, int end) {
        BitSet cells = new BitSet();
        cells.set(from / frame.cellBytes(), (end - 1) / frame.cellBytes() + 1);
        return cells;
    }

    /** Begins to read the groups from there on that nobody has begun to read. */
    private void readAhead(long from) {
        long at = from;
        while (at < groups.bytes() && at - from < AHEAD_BYTES) {
            Groups.Group group = groups.at(at);
            GroupFrame frame = group.frame();
            if (!cache.has(version, group)) {
                CachedCells cells = cache.get(version, group);
                cache.beside().execute(() -> readAhead(cells));
            }
            at = frame.offset() + frame.bytes();
        }
    }

    /** What is wrong hears whoever wants it. */
    private void readAhead(CachedCells cells) {
        try {
            reader.readAhead(cells, cellsOf(cells.frame(), 0, cells.frame().bytes()));
        } catch (IOException e) {
            LOG.debug("{}: group {} was not read ahead", version, cells.frame().group(), e);
        } finally {
            cells.release();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            cache.close(version);
            shards.close();
        }
    }
}
