// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.live;

import io.shredder.backup.posix.PosixFile;
import io.shredder.backup.seal.PrivateFiles;
import io.shredder.backup.server.reader.ImageExtent;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The file that becomes the target: sparse, raw, of the image's length. Any number of threads. */
final class LiveData implements Closeable {

    private static final int ZERO_BYTES = 1 << 20;

    private final FileChannel channel;

    /** Makes and finds holes; none where the file system isn't the system's own. */
    private final @Nullable PosixFile holes;

    private volatile boolean blank;

    private LiveData(FileChannel channel, @Nullable PosixFile holes, boolean blank) {
        this.channel = channel;
        this.holes = holes;
        this.blank = blank;
    }

    /** Makes a file of zeros that only its owner may read, durably; nothing is there yet. */
    static LiveData create(Path file, long bytes) throws IOException {
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        FileChannel channel = FileChannel.open(file, options, PrivateFiles.OWNER_ONLY);
        try {
            lengthen(channel, bytes);
            channel.force(true);
            forceFolder(file);
            return new LiveData(channel, holesOf(file), true);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Opens a file that a restore has begun. */
    static LiveData open(Path file, long bytes, boolean mayBeShort) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (mayBeShort) {
                lengthen(channel, bytes);
                channel.force(true);
            }
            if (channel.size() != bytes) {
                throw new IOException(file + " has " + channel.size() + " bytes, not the image's " + bytes
                        + ": it is not what was begun; restore to another file");
            }
            return new LiveData(channel, holesOf(file), false);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static void lengthen(FileChannel channel, long bytes) throws IOException {
        if (channel.size() < bytes) {
            LiveMap.writeAll(channel, bytes - 1, ByteBuffer.allocate(1));
        }
    }

    private static @Nullable PosixFile holesOf(Path file) throws IOException {
        return file.getFileSystem().equals(FileSystems.getDefault()) ? PosixFile.openToWrite(file) : null;
    }

    static void forceFolder(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel opened = FileChannel.open(folder, StandardOpenOption.READ)) {
                opened.force(true);
            }
        }
    }

    /** Whether what nobody has claimed is zeros for certain: no run before this one, and no write that failed. */
    boolean isBlank() {
        return blank;
    }

    void read(long offset, ByteBuffer into) throws IOException {
        LiveMap.readAll(channel, offset, into);
    }

    void write(long offset, ByteBuffer from) throws IOException {
        try {
            LiveMap.writeAll(channel, offset, from);
        } catch (IOException e) {
            blank = false;
            throw e;
        }
    }

    /** Makes these bytes zeros. */
    void zero(long offset, long bytes, boolean mayBeHole) throws IOException {
        if (mayBeHole && makeHole(offset, bytes)) {
            return;
        }
        ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(bytes, ZERO_BYTES));
        for (long at = offset, end = offset + bytes; at < end; at += zeros.limit()) {
            write(at, zeros.clear().limit((int) Math.min(zeros.capacity(), end - at)));
        }
    }

    /** Returns whether they are zeros that take no room now. */
    boolean makeHole(long offset, long bytes) throws IOException {
        return holes != null && holes.makeHole(offset, bytes);
    }

    /** Holes and data from an offset on; with more than {@code most}, not all. */
    List<ImageExtent> extents(long offset, long bytes, int most) throws IOException {
        if (holes == null) {
            return List.of(new ImageExtent(offset, bytes, false));
        }
        List<ImageExtent> extents = new ArrayList<>();
        long end = offset + bytes;
        for (long at = offset; at < end && extents.size() <= most; ) {
            OptionalLong data = holes.nextData(at);
            boolean isHole = data.isEmpty() || data.getAsLong() > at;
            long to = isHole ? data.orElse(end) : Math.max(at + 1, holes.nextHole(at));
            to = Math.min(to, end);
            extents.add(new ImageExtent(at, to - at, isHole));
            at = to;
        }
        return extents;
    }

    /** Waits until the disk has taken these bytes, if not for good: what forces the file then has less to wait for. */
    void writeOut(long offset, long bytes) {
        if (holes != null) {
            holes.writeOut(offset, bytes);
        }
    }

    void force() throws IOException {
        channel.force(false);
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            if (holes != null) {
                holes.close();
            }
        }
    }
}
