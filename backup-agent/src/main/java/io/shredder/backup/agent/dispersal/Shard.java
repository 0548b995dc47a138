// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.CellArrays;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one keeper has of a version, with a sound header, open. Safe for any number of threads; reads that hold up their
 * thread follow one another. Closing waits for no read: the file is closed once that has ended.
 */
final class Shard implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Shard.class);

    /** So many heads are read at once at most. */
    private static final int MOST_HEADS = 4096;

    private final Keeper keeper;
    private final Dispersal dispersal;
    private final ReadableFile file;
    private final long bytes;
    private final ShardHeader header;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile boolean closed;
    private boolean fileClosed;

    private Shard(Keeper keeper, Dispersal dispersal, ReadableFile file, long bytes, ShardHeader header) {
        this.keeper = keeper;
        this.dispersal = dispersal;
        this.file = file;
        this.bytes = bytes;
        this.header = header;
    }

    /** Opens what the keeper has, and reads the header. */
    static Shard open(Dispersal dispersal, Keeper keeper, StoredVersion version) throws IOException {
        ReadableFile file = keeper.storage().open(version.file());
        try {
            ByteBuffer head = ByteBuffer.allocate(ShardHeader.BYTES);
            file.readFully(head, 0);
            ShardHeader header = ShardHeader.read(dispersal, keeper.index(), version, version.toString(), head.flip());
            return new Shard(keeper, dispersal, file, file.size(), header);
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    Keeper keeper() {
        return keeper;
    }

    ShardHeader header() {
        return header;
    }

    /** Its length when it was opened. */
    long bytes() {
        return bytes;
    }

    /** These bytes, whatever they are. */
    ByteBuffer read(long at, int length) throws IOException {
        return read(() -> {
            ByteBuffer target = ByteBuffer.allocate(length);
            file.readFully(target, at);
            return target.flip();
        });
    }

    /** A read of the file. */
    private interface Reading {
        ByteBuffer read() throws IOException;
    }

    private ByteBuffer read(Reading step) throws IOException {
        reading.lock();
        try {
            if (closed) {
                throw new ClosedChannelException();
            }
            return step.read();
        } finally {
            reading.unlock();
            closeIfUnused();
        }
    }

    /** The head of the frame there; empty if it is damaged. */
    Optional<GroupFrame.OfKeeper> head(long at) throws IOException {
        int length = GroupFrame.headBytes(dispersal.keepers());
        return GroupFrame.decoded(dispersal.data(), dispersal.keepers(), read(at, length));
    }

    /** Heads of frames by where they begin, the first ones, up to one that is damaged. */
    Map<Long, GroupFrame.OfKeeper> firstHeads() throws IOException {
        Map<Long, GroupFrame.OfKeeper> heads = new HashMap<>();
        int headBytes = GroupFrame.headBytes(dispersal.keepers());
        long at = ShardHeader.BYTES;
        while (at + headBytes <= bytes && heads.size() < MOST_HEADS) {
            Optional<GroupFrame.OfKeeper> head = headUnlessItEnds(at);
            if (head.isEmpty()) {
                break; // Who asks for it hears why.
            }
            heads.put(at, head.get());
            at += headBytes + head.get().frame().cellBytes();
        }
        return heads;
    }

    private Optional<GroupFrame.OfKeeper> headUnlessItEnds(long at) throws IOException {
        try {
            return head(at);
        } catch (EOFException | DamagedDataException e) {
            return Optional.empty();
        }
    }

    private long cellAt(Groups.Group group) {
        return group.at() + GroupFrame.headBytes(dispersal.keepers());
    }

    /** The bytes where the keeper's cell of a group is, whatever they are. */
    ByteBuffer bytesOf(Groups.Group group) throws IOException {
        return read(() -> file.read(cellAt(group), group.frame().cellBytes(), CellArrays.shared()::take));
    }

    /** The same without waiting; empty if the keeper doesn't answer by itself. */
    Optional<CompletableFuture<ByteBuffer>> ask(Groups.Group group) throws IOException {
        return file.ask(cellAt(group), group.frame().cellBytes());
    }

    /**
     * The keeper's cell of a group, proved.
     *
     * @throws DamagedDataException if it isn't what the frame says, with the offset in the shard
     */
    ByteBuffer cell(Groups.Group group) throws IOException {
        GroupFrame frame = group.frame();
        ByteBuffer cell = bytesOf(group);
        if (!frame.proves(keeper.index(), cell)) {
            Optional<Integer> within = headUnlessItEnds(group.at()).flatMap(own -> own.firstDamage(cell));
            throw new DamagedDataException(
                    keeper.home().toString(),
                    cellAt(group) + within.orElse(0),
                    within.isPresent()
                            ? "a cell's checksum is wrong"
                            : "a cell has a sound checksum and is not what the keeper was given");
        }
        return cell;
    }

    private void closeIfUnused() throws IOException {
        if (closed && reading.tryLock()) {
            try {
                if (!fileClosed) {
                    fileClosed = true;
                    file.close();
                }
            } finally {
                reading.unlock();
            }
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        closeIfUnused();
    }

    /** Closes one that nobody wants any more. */
    void drop() {
        try {
            close();
        } catch (IOException e) {
            LOG.debug("keeper {}: {} could not be closed", keeper, header.version(), e);
        }
    }
}
