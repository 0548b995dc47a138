// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import io.shredder.backup.posix.MappedPart;
import io.shredder.backup.posix.PosixFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that many write as memory, side by side. It is mapped window by window, as each change of what is mapped stops
 * all threads; a window is given up when nobody writes there and newer ones are written. Room is made sure of before:
 * the system tells who writes to memory that there is none by a signal. Safe for several threads that write different
 * bytes.
 */
final class MappedWindows implements Closeable {

    /** The file is mapped by so many bytes. */
    static final int WINDOW_BYTES = 32 << 20;

    /** So many windows stay although nobody writes there now. */
    private static final int MOST_UNUSED = 2;

    /** More threads would wait for each other within the system, and burn their cores meanwhile. */
    private static final int FINDING_ROOM_IN_MEMORY = 4;

    /**
     * These keep their bytes in memory. Elsewhere a page that has room may lose it: it is written to a disk, and to
     * write it again may need room anew.
     */
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

    private static final Logger LOG = LoggerFactory.getLogger(MappedWindows.class);

    private final FileChannel channel;
    private final PosixFile file;
    private final boolean inMemory;
    private final int windowBytes;
    private final Semaphore findingRoom;

    /** By number, the last used last. */
    private final Map<Long, Window> windows = new LinkedHashMap<>(16, 0.75f, true);

    private boolean closed;

    private static final class Window {
        private final MappedPart part;
        private int writers;

        Window(MappedPart part) {
            this.part = part;
        }
    }

    private MappedWindows(FileChannel channel, PosixFile file, boolean inMemory, int windowBytes) {
        this.channel = channel;
        this.file = file;
        this.inMemory = inMemory;
        this.windowBytes = windowBytes;
        this.findingRoom = new Semaphore(inMemory ? FINDING_ROOM_IN_MEMORY : 1);
    }

    /**
     * None where the file system doesn't let what is written to memory become the file, or can't find room before.
     *
     * @param channel reads and writes the file, which is empty and is so again
     */
    static @Nullable MappedWindows of(Path path, FileChannel channel, int windowBytes) throws IOException {
        PosixFile file = PosixFile.openToWrite(path);
        var windows = new MappedWindows(channel, file, inMemory(path), windowBytes);
        try (MappedPart trial = MappedPart.of(channel, 0, ImageFile.BLOCK_BYTES)) {
            if (windows.hasRoom(trial, 0, 0, ImageFile.BLOCK_BYTES)) {
                return windows;
            }
        } catch (IOException e) {
            LOG.debug("{} is not mapped: {}", path, e.getMessage());
        } finally {
            channel.truncate(0);
        }
        windows.close();
        return null;
    }

    /**
     * Whether a file's bytes stay in memory; only such pages may be found by {@link MappedPart#populate}.
     *
     * @param path of a file that may not be there yet
     */
    static boolean inMemory(Path path) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        return folder != null && IN_MEMORY.contains(Files.getFileStore(folder).type());
    }

    /**
     * Writes the remaining bytes as far as room is found for them.
     *
     * @param position where the file is long enough for all of them
     * @return whether all were written; if not, some at the beginning may have been, as {@code bytes} tells
     */
    boolean write(long position, ByteBuffer bytes) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            int from = (int) (at % windowBytes);
            int count = Math.min(bytes.remaining(), windowBytes - from);
            if (!write(at / windowBytes, from, bytes.slice(bytes.position(), count))) {
                return false;
            }
            bytes.position(bytes.position() + count);
            at += count;
        }
        return true;
    }

    private boolean write(long number, int from, ByteBuffer bytes) throws IOException {
        Window window = begin(number);
        try {
            if (!hasRoom(window.part, number * windowBytes, from, bytes.remaining())) {
                return false;
            }
            window.part.write(from, bytes);
            return true;
        } finally {
            end(window);
        }
    }

    private boolean hasRoom(MappedPart part, long position, int from, int count) {
        if (from + count > part.length()) {
            return false; // The file was shorter when this was mapped.
        }
        findingRoom.acquireUninterruptibly();
        try {
            return inMemory ? part.populate(from, count) : file.reserve(position + from, count);
        } finally {
            findingRoom.release();
        }
    }

    private synchronized Window begin(long number) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        Window window = windows.get(number);
        if (window == null) {
            long position = number * windowBytes;
            int length = (int) Math.min(windowBytes, channel.size() - position);
            window = new Window(MappedPart.of(channel, position, length));
            windows.put(number, window);
        }
        window.writers++;
        return window;
    }

    private synchronized void end(Window window) {
        window.writers--;
        leaveUnused(closed ? 0 : MOST_UNUSED);
    }

    /** Gives up the others, the longest unused first. */
    private void leaveUnused(int most) {
        long unused =
                windows.values().stream().filter(window -> window.writers == 0).count();
        for (Iterator<Window> oldest = windows.values().iterator(); unused > most; ) {
            Window next = oldest.next();
            if (next.writers == 0) {
                next.part.close();
                oldest.remove();
                unused--;
            }
        }
    }

    /** A window that somebody still writes to is given up when that ends: without it the process would end. */
    @Override
    public synchronized void close() {
        closed = true;
        leaveUnused(0);
        file.close();
    }
}
