// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import io.shredder.backup.posix.PosixFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A raw image in an ordinary file, whose holes are not read, or on a block device. The kernel reads ahead. */
final class FileImage implements ImageSource {

    private static final int READ_BYTES = 1 << 20;
    private static final int AHEAD_BYTES = 16 << 20;
    private static final int FILE_TYPE_MASK = 0170000;
    private static final int BLOCK_DEVICE = 0060000;

    private final Path path;
    private final FileChannel channel;
    private final PosixFile holes;
    private final long imageBytes;
    private final ChangeWatch watch;
    private long askedUpTo;

    private FileImage(Path path, ChangeWatch watch) throws IOException {
        this.path = path;
        this.watch = watch;
        this.holes = PosixFile.openToRead(path);
        try {
            // Not by its name: another file may have got that meanwhile.
            this.channel = FileChannel.open(holes.opened(), StandardOpenOption.READ);
        } catch (IOException e) {
            holes.close();
            throw e;
        }
        this.imageBytes = holes.bytes();
    }

    static FileImage openFile(Path path) throws IOException {
        checkReadable(path);
        if (isBlockDevice(path)) {
            throw new IOException("image " + path + " is a block device, not a file: name it as a device");
        } else if (!Files.isRegularFile(path)) {
            throw new IOException("image " + path + " is not an ordinary file: copy it to one first");
        }
        return new FileImage(path, WatchedFiles.of(List.of(path)));
    }

    static FileImage openDevice(Path path) throws IOException {
        checkReadable(path);
        if (!isBlockDevice(path)) {
            throw new IOException("image " + path + " is not a block device: name an ordinary file as a file");
        }
        return new FileImage(path, WatchedDevice.of(path));
    }

    static void checkReadable(Path path) throws IOException {
        if (!Files.exists(path)) {
            throw new IOException("image " + path + " doesn't exist");
        } else if (Files.isDirectory(path)) {
            throw new IOException("image " + path + " is a directory: name a file");
        } else if (!Files.isReadable(path)) {
            throw new IOException("image " + path + " may not be read by this user");
        }
    }

    static boolean isBlockDevice(Path path) throws IOException {
        return (((Integer) Files.getAttribute(path, "unix:mode")) & FILE_TYPE_MASK) == BLOCK_DEVICE;
    }

    @Override
    public long imageBytes() {
        return imageBytes;
    }

    @Override
    public Optional<Extent> nextData(long from) throws IOException {
        if (from >= imageBytes) {
            return Optional.empty();
        }
        OptionalLong start = holes.nextData(from);
        if (start.isEmpty() || start.getAsLong() >= imageBytes) {
            return Optional.empty();
        }
        long end = Math.min(imageBytes, holes.nextHole(start.getAsLong()));
        return end > start.getAsLong()
                ? Optional.of(new Extent(start.getAsLong(), end - start.getAsLong()))
                : Optional.empty();
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
        askAhead(offset);
        for (long at = offset; into.hasRemaining(); ) {
            int count = read(into, at, channel);
            if (count < 0) {
                throw changed(at);
            }
            at += count;
        }
    }

    private static int read(ByteBuffer into, long at, FileChannel from) throws IOException {
        try {
            return from.read(into, at);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            throw new UnreadableException(String.valueOf(e.getMessage()), e);
        }
    }

    private synchronized void askAhead(long offset) {
        if (offset + AHEAD_BYTES / 2 > askedUpTo) {
            askedUpTo = Math.max(askedUpTo, offset) + AHEAD_BYTES / 2;
            holes.readAhead(askedUpTo, AHEAD_BYTES / 2);
        }
    }

    @Override
    public boolean readsAtOnce() {
        return true;
    }

    @Override
    public int readBytes() {
        return READ_BYTES;
    }

    @Override
    public void checkUnchanged() throws IOException {
        long now = holes.bytes();
        if (now != imageBytes) {
            throw changed(now);
        }
    }

    @Override
    public Optional<String> change() throws IOException {
        return watch.change();
    }

    private IOException changed(long now) {
        return new IOException("image " + path + " changed while it was read: it had " + imageBytes
                + " bytes, now it has " + now + ": back it up when nobody writes it, or a snapshot of it");
    }

    @Override
    public void close() throws IOException {
        try (holes) {
            channel.close();
        }
    }
}
