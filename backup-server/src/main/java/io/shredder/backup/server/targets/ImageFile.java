// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import com.sun.nio.file.ExtendedOpenOption;
import io.shredder.backup.seal.PrivateFiles;
import io.shredder.backup.server.targets.WriteTrial.Way;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file or device that an image is written to, past the system's page cache where that works: the cache copies every
 * byte, and holds what nobody reads soon. But it lets nobody wait for the disk, so where nobody will wait for that at
 * the end either, it is used if that is sooner done here ({@link WriteTrial}), or, where many write, into the file as
 * it is mapped. A file system in memory has nothing but a cache: many write there as it is mapped, few through it. What
 * is written directly is whole blocks from memory that is aligned as they are; all else goes through the cache. Both
 * never write the same block at the same time, so each sees what the other wrote. Safe for several threads that write
 * different bytes.
 */
public final class ImageFile implements Closeable {

    /** Direct writes begin and end at multiples of this in the file, and their bytes at multiples of this in memory. */
    public static final int BLOCK_BYTES = 4096;

    /** Less is cheaper through the cache, which doesn't wait for the disk. */
    static final int LEAST_DIRECT_BYTES = 64 << 10;

    /** One writer in the page cache is as quick as fewer that map the file. */
    static final int LEAST_MAPPING_WRITERS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(ImageFile.class);

    private final FileChannel cached;
    private final @Nullable FileChannel direct;
    private final WriteTrial ways;

    /** If the file may be written as it is mapped. */
    private final @Nullable MappedWindows mapped;

    private final Object writing = new Object();

    private volatile long knownLength;

    private ImageFile(
            FileChannel cached, @Nullable FileChannel direct, WriteTrial ways, @Nullable MappedWindows mapped) {
        this.mapped = mapped;
        this.cached = cached;
        this.direct = direct;
        this.ways = ways;
    }

    /**
     * Makes an empty file that only its owner may read, for it is somebody's disk, in place of one that may be there:
     * closing one that was emptied waits for the disk (ext4, auto_da_alloc).
     *
     * @param durable whether the disk will be waited for when all is written
     * @param writers how many threads will write
     */
    static ImageFile create(Path file, boolean durable, int writers) throws IOException {
        Files.deleteIfExists(file);
        boolean many = writers >= LEAST_MAPPING_WRITERS;
        if (MappedWindows.inMemory(file)) {
            return create(file, List.of(many ? Way.MAPPED : Way.CACHED), WriteTrial.BYTES);
        }
        List<Way> ways = new ArrayList<>();
        if (takesDirect(file)) {
            ways.add(Way.DIRECT);
        }
        if (!durable || ways.isEmpty()) {
            ways.add(Way.CACHED);
        }
        if (!durable && many) {
            ways.add(Way.MAPPED);
        }
        return create(file, ways, Math.max(WriteTrial.BYTES, 4L * writers * RestoreTarget.MAX_WRITE_BYTES));
    }

    /**
     * The same, written in these ways.
     *
     * @param ways of which the file system takes all, but for mapping the file
     * @param window with so many bytes each is tried
     */
    static ImageFile create(Path file, List<Way> ways, long window) throws IOException {
        FileChannel cached = FileChannel.open(
                file,
                Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                PrivateFiles.OWNER_ONLY);
        List<Way> usable = new ArrayList<>(ways);
        MappedWindows mapped =
                ways.contains(Way.MAPPED) ? MappedWindows.of(file, cached, MappedWindows.WINDOW_BYTES) : null;
        if (mapped == null && usable.remove(Way.MAPPED) && usable.isEmpty()) {
            usable.add(Way.CACHED);
        }
        return new ImageFile(
                cached,
                ways.contains(Way.DIRECT) ? direct(file, channel -> {}) : null,
                new WriteTrial(usable, window, System::nanoTime),
                mapped);
    }

    /** Some file systems say no only when a block is written. */
    private static boolean takesDirect(Path file) throws IOException {
        Files.createFile(file);
        try (FileChannel trial = direct(file, channel -> channel.write(aligned(BLOCK_BYTES), 0))) {
            return trial != null;
        } finally {
            Files.delete(file);
        }
    }

    /** Opens a device to write and read it. */
    static ImageFile open(Path device) throws IOException {
        FileChannel cached = FileChannel.open(device, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileChannel direct = direct(device, channel -> channel.read(aligned(BLOCK_BYTES), 0));
        Way way = direct == null ? Way.CACHED : Way.DIRECT;
        return new ImageFile(cached, direct, new WriteTrial(List.of(way), WriteTrial.BYTES, System::nanoTime), null);
    }

    @FunctionalInterface
    private interface Trial {
        void run(FileChannel channel) throws IOException;
    }

    /** None if the file system can't do it. */
    private static @Nullable FileChannel direct(Path file, Trial trial) {
        OpenOption[] options = {StandardOpenOption.READ, StandardOpenOption.WRITE, ExtendedOpenOption.DIRECT};
        FileChannel channel = null;
        try {
            channel = FileChannel.open(file, options);
            trial.run(channel);
            return channel;
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("{} is written through the page cache: {}", file, e.getMessage());
            closeQuietly(channel);
            return null;
        }
    }

    private static void closeQuietly(@Nullable FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("closing: {}", e.getMessage());
        }
    }

    /** Memory of at least so many bytes that begins as a block does. */
    public static ByteBuffer aligned(int bytes) {
        int blocks = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
        return ByteBuffer.allocateDirect((blocks + 1) * BLOCK_BYTES)
                .alignedSlice(BLOCK_BYTES)
                .slice(0, blocks * BLOCK_BYTES);
    }

    /** Whether anything is written past the cache. */
    boolean isDirect() {
        return direct != null;
    }

    /** Whether the next writes wait for the disk. */
    boolean writesWait() {
        return direct != null && ways.next() == Way.DIRECT;
    }

    /** For all but writing. */
    FileChannel channel() {
        return cached;
    }

    /** Writes all remaining bytes. */
    void write(long position, ByteBuffer bytes) throws IOException {
        int count = bytes.remaining();
        Way way = ways.next();
        if (way == Way.DIRECT && direct != null) {
            writeDirectly(direct, position, bytes);
        } else if (way == Way.MAPPED && mapped != null) {
            writeMapped(mapped, position, bytes);
        } else {
            writeCached(position, bytes);
        }
        ways.wrote(way, count);
    }

    /** What the system has no room for is written in the way that says so. */
    private void writeMapped(MappedWindows windows, long position, ByteBuffer bytes) throws IOException {
        int first = bytes.position();
        if (bytes.remaining() < LEAST_DIRECT_BYTES
                || !reaches(position + bytes.remaining())
                || !windows.write(position, bytes)) {
            writeCached(position + bytes.position() - first, bytes);
        }
    }

    /** Those past the cache that lie in memory as they will in the file, but for the offset of their first block. */
    private void writeDirectly(FileChannel past, long position, ByteBuffer bytes) throws IOException {
        int head = (int) Math.min(bytes.remaining(), Math.floorMod(-position, (long) BLOCK_BYTES));
        int inner = (bytes.remaining() - head) / BLOCK_BYTES * BLOCK_BYTES;
        int from = bytes.position() + head;
        if (inner < LEAST_DIRECT_BYTES || !bytes.isDirect() || bytes.alignmentOffset(from, BLOCK_BYTES) != 0) {
            writeCached(position, bytes);
            return;
        }
        ByteBuffer all = bytes.duplicate();
        writeCached(position, all.limit(from));
        writeAll(past, position + head, all.limit(from + inner));
        writeCached(position + head + inner, all.limit(bytes.limit()));
    }

    /** Whether the file is that long. It only grows, and who asks the system waits for others who do. */
    private boolean reaches(long end) throws IOException {
        if (end > knownLength) {
            knownLength = cached.size();
        }
        return end <= knownLength;
    }

    /** A file has one writer at a time in the cache anyway, and who waits for it in the kernel burns its core. */
    private void writeCached(long position, ByteBuffer bytes) throws IOException {
        synchronized (writing) {
            writeAll(cached, position, bytes);
        }
    }

    private static void writeAll(FileChannel channel, long position, ByteBuffer bytes) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }

    @Override
    public void close() throws IOException {
        try (mapped;
                direct) {
            cached.close();
        }
    }
}
