// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.live;

import io.shredder.backup.seal.PrivateFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks of a target are there, from the backup or since somebody wrote them; all others are the backup's. A
 * block that is there stays there. The file ({@code docs/formats/live.md}) says it twice:
 *
 * <ul>
 *   <li>The <b>durable</b> part follows the data: a block is in it once its bytes were forced. So after a loss of power
 *       it names no block whose bytes are not there, and none is missing that was there when a flush returned.
 *   <li>The <b>claims</b> have each block as soon as it is written, and nothing forces them. They count only as long as
 *       the system that wrote them runs: then they lose nothing when this program is killed, since what it wrote is in
 *       the system's cache. After a loss of power the cache is gone, and they might name what never reached the disk.
 * </ul>
 *
 * <p>Each sector of the file is written whole, has its own checksum, and says only more than before: so one that is
 * torn from its neighbours by a loss of power is right. Safe for any number of threads.
 */
final class LiveMap implements Closeable {

    private static final int LOCKS = 64;
    private static final int COPY_SECTORS = 2048;

    private final Path file;
    private final FileChannel channel;
    private final LiveHeader header;

    /** Which run of the system claims count for. */
    private final UUID boot;

    private final int sectors;
    private final AtomicLongArray bits;
    private final AtomicLong present = new AtomicLong();

    /** Sectors that the durable part doesn't have as they are; each under its lock. */
    private final boolean[] isDirty;

    private final Object[] locks = new Object[LOCKS];
    private final Object flushing = new Object();
    private final AtomicLong askedFlushes = new AtomicLong();
    private final AtomicBoolean retired = new AtomicBoolean();
    private long doneFlushes;
    private volatile @Nullable IOException failure;

    /** Forces the data. */
    interface Forcing {
        void force() throws IOException;
    }

    private record Sector(int number, ByteBuffer bytes) {}

    private LiveMap(Path file, FileChannel channel, LiveHeader header, UUID boot) {
        this.file = file;
        this.channel = channel;
        this.header = header;
        this.boot = boot;
        this.sectors = MapSector.count(header);
        this.bits = new AtomicLongArray(sectors * MapSector.WORDS);
        this.isDirty = new boolean[sectors];
        Arrays.setAll(locks, i -> new Object());
    }

    /** Makes a map of nothing, unless there is one; it is there whole or not at all. */
    static void create(Path file, LiveHeader header) throws IOException {
        Path temporary = file.resolveSibling(
                "." + file.getFileName() + ".new-" + ProcessHandle.current().pid());
        Files.deleteIfExists(temporary);
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        try (FileChannel made = FileChannel.open(temporary, options, PrivateFiles.OWNER_ONLY)) {
            writeAll(made, 0, header.encode());
            int sectors = MapSector.count(header);
            // Claims of no system at all have their room already: they can't fail for want of it.
            for (int i = 0; i < 2 * sectors; ) {
                int count = Math.min(COPY_SECTORS, 2 * sectors - i);
                ByteBuffer some = ByteBuffer.allocate(count * MapSector.BYTES);
                for (int j = 0; j < count; j++) {
                    some.put(MapSector.encode(header, (i + j) % sectors, MapSector.DURABLE, word -> 0));
                }
                writeAll(made, LiveHeader.BYTES + (long) i * MapSector.BYTES, some.flip());
                i += count;
            }
            made.force(true);
        }
        publish(temporary, file);
        LiveData.forceFolder(file);
    }

    /** Of two who begin at once one must not take the other's map away, which a rename would. */
    private static void publish(Path temporary, Path file) throws IOException {
        try {
            Files.createLink(file, temporary);
        } catch (FileAlreadyExistsException e) {
            // The other's it is; its lock says the rest.
        } catch (FileSystemException | UnsupportedOperationException e) {
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE); // A file system without links.
            return;
        }
        Files.delete(temporary);
    }

    /** Reads what a map is about. */
    static LiveHeader header(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return header(channel, file);
        }
    }

    private static LiveHeader header(FileChannel channel, Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LiveHeader.BYTES);
        readAll(channel, 0, bytes);
        return LiveHeader.decode(bytes.flip(), file.toString());
    }

    /**
     * Opens a map for this process alone.
     *
     * @param boot which run of the system this is
     * @throws IOException if it is damaged, naming file and offset, or another process has it
     */
    static LiveMap open(Path file, UUID boot) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            lock(channel, file);
            LiveMap map = new LiveMap(file, channel, header(channel, file), boot);
            map.load();
            return map;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static void lock(FileChannel channel, Path file) throws IOException {
        boolean isOurs;
        try {
            isOurs = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            isOurs = false;
        }
        if (!isOurs) {
            throw new IOException(file + " is in use: another restore fills this target already");
        }
    }

    private void load() throws IOException {
        ByteBuffer sector = ByteBuffer.allocate(MapSector.BYTES);
        for (int i = 0; i < sectors; i++) {
            readAll(channel, durableAt(i), sector.clear());
            MapSector durable = new MapSector(sector);
            if (!durable.isWhole(header, i) || !durable.epoch().equals(MapSector.DURABLE)) {
                throw new IOException(file + " is damaged at offset " + durableAt(i)
                        + ", so what was written meanwhile can't be told from what wasn't: begin a restore to another"
                        + " file");
            }
            add(i, durable);
            readAll(channel, claimsAt(i), sector.clear());
            MapSector claims = new MapSector(sector);
            if (claims.epoch().equals(boot)) {
                if (!claims.isWhole(header, i)) {
                    throw new IOException(
                            file + " is damaged at offset " + claimsAt(i) + ": begin a restore to another file");
                }
                isDirty[i] = add(i, claims);
            }
        }
    }

    /** Returns whether that was new. */
    private boolean add(int number, MapSector sector) {
        boolean isMore = false;
        for (int i = 0; i < MapSector.WORDS; i++) {
            long more = sector.word(i) & ~bits.get(number * MapSector.WORDS + i);
            present.addAndGet(Long.bitCount(more));
            bits.set(number * MapSector.WORDS + i, bits.get(number * MapSector.WORDS + i) | more);
            isMore |= more != 0;
        }
        return isMore;
    }

    private long durableAt(int sector) {
        return LiveHeader.BYTES + (long) sector * MapSector.BYTES;
    }

    private long claimsAt(int sector) {
        return durableAt(sectors + sector);
    }

    LiveHeader header() {
        return header;
    }

    long presentBlocks() {
        return present.get();
    }

    boolean isWhole() {
        return present.get() == header.blocks();
    }

    boolean has(long block) {
        return (bits.get((int) (block >>> 6)) >>> block & 1) != 0;
    }

    /** The first block from one on, and before another, that is there, or isn't; {@code to} if there is none. */
    long next(boolean there, long from, long to) {
        for (long at = from; at < to; at = (at | 63) + 1) {
            long word = bits.get((int) (at >>> 6));
            long wanted = (there ? word : ~word) >>> at;
            if (wanted != 0) {
                return Math.min(to, at + Long.numberOfTrailingZeros(wanted));
            }
        }
        return to;
    }

    /** These blocks are written to the target, if not yet forced. Returns when that outlives this program. */
    void claim(long from, long to) throws IOException {
        requireGood();
        for (long at = from; at < to; ) {
            int sector = (int) (at / MapSector.BLOCKS);
            long end = Math.min(to, (sector + 1L) * MapSector.BLOCKS);
            synchronized (locks[sector % LOCKS]) {
                if (set(at, end)) {
                    isDirty[sector] = true;
                    writeOrFail(claimsAt(sector), encode(sector, boot));
                }
            }
            at = end;
        }
    }

    /** Under the sector's lock; returns whether one was not there. */
    private boolean set(long from, long to) {
        boolean isMore = false;
        for (long at = from; at < to; ) {
            int word = (int) (at >>> 6);
            long end = Math.min(to, (at | 63) + 1);
            long mask = -1L >>> (Long.SIZE - (end - at)) << at;
            long more = mask & ~bits.get(word);
            bits.set(word, bits.get(word) | more);
            present.addAndGet(Long.bitCount(more));
            isMore |= more != 0;
            at = end;
        }
        return isMore;
    }

    private ByteBuffer encode(int sector, UUID epoch) {
        return MapSector.encode(header, sector, epoch, word -> bits.get(sector * MapSector.WORDS + word));
    }

    private void writeOrFail(long position, ByteBuffer bytes) throws IOException {
        try {
            writeAll(channel, position, bytes);
        } catch (IOException e) {
            throw fail(e);
        }
    }

    /**
     * Makes durable whatever was claimed before: the data first, then what is said of it. Several who ask at once share
     * what is done. Once that has failed, nobody knows what the disk has, and no more is taken.
     */
    void flush(Forcing data) throws IOException {
        long mine = askedFlushes.incrementAndGet();
        synchronized (flushing) {
            if (doneFlushes >= mine) {
                return;
            }
            requireGood();
            long covered = askedFlushes.get();
            List<Sector> taken = takeDirty();
            try {
                data.force();
                if (!taken.isEmpty() && !retired.get()) {
                    for (Sector sector : taken) {
                        writeAll(channel, durableAt(sector.number()), sector.bytes());
                    }
                    channel.force(false);
                }
            } catch (IOException e) {
                throw fail(e);
            }
            doneFlushes = covered;
        }
    }

    /** As they are now: what is claimed from here on isn't forced by what comes next. */
    private List<Sector> takeDirty() {
        List<Sector> taken = new ArrayList<>();
        for (int i = 0; i < sectors; i++) {
            synchronized (locks[i % LOCKS]) {
                if (isDirty[i]) {
                    isDirty[i] = false;
                    taken.add(new Sector(i, encode(i, MapSector.DURABLE)));
                }
            }
        }
        return taken;
    }

    /** The system drops what it couldn't write, so claims don't hold any more. */
    private IOException fail(IOException e) {
        failure = e;
        try {
            channel.truncate(claimsAt(0));
        } catch (IOException other) {
            e.addSuppressed(other);
        }
        return e;
    }

    private void requireGood() throws IOException {
        IOException before = failure;
        if (before != null) {
            throw new IOException(
                    "the target's disk failed before, so nothing more is written: " + before.getMessage(), before);
        }
    }

    /** What stopped all writing, if anything did. */
    @Nullable
    IOException failure() {
        return failure;
    }

    /** Everything is there and durable under the target's name: the file goes. */
    void retire() throws IOException {
        synchronized (flushing) {
            retired.set(true);
            Files.delete(file);
            LiveData.forceFolder(file);
        }
    }

    static void writeAll(FileChannel channel, long position, ByteBuffer bytes) throws IOException {
        for (long at = position; bytes.hasRemaining(); ) {
            at += channel.write(bytes, at);
        }
    }

    /** Fills the buffer, behind the file's end with zeros. */
    static void readAll(FileChannel channel, long position, ByteBuffer into) throws IOException {
        for (long at = position; into.hasRemaining(); ) {
            int count = channel.read(into, at);
            if (count < 0) {
                into.put(new byte[into.remaining()]);
                return;
            }
            at += count;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
