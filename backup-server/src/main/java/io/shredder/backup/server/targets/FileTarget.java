// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file, sparse where the image is zero; written under a temporary name beside it. */
public final class FileTarget implements RestoreTarget {

    private static final Logger LOG = LoggerFactory.getLogger(FileTarget.class);
    private static final int BLOCK_BYTES = ImageFile.BLOCK_BYTES;
    private static final ByteBuffer ZEROS =
            ByteBuffer.allocateDirect(BLOCK_BYTES).asReadOnlyBuffer();

    private final Path target;
    private final Path temporary;
    private final ImageFile image;
    private final boolean overwrite;
    private final boolean durable;

    /**
     * Opens the temporary file.
     *
     * @param overwrite whether an existing file may be replaced
     * @param durable whether {@link #commit} waits until the disk has it
     * @param writers how many threads will write
     */
    public FileTarget(Path file, boolean overwrite, boolean durable, int writers) throws IOException {
        this(file, overwrite, durable, temporary -> ImageFile.create(temporary, durable, writers));
    }

    /** Makes the temporary file. */
    @FunctionalInterface
    interface Images {
        ImageFile create(Path temporary) throws IOException;
    }

    FileTarget(Path file, boolean overwrite, boolean durable, Images images) throws IOException {
        this.target = behindLink(file.toAbsolutePath());
        this.overwrite = overwrite;
        this.durable = durable;
        checkTarget();
        Path folder = folder();
        if (!Files.isDirectory(folder)) {
            throw new IOException("folder " + folder + " doesn't exist: make it first");
        }
        this.temporary = folder.resolve("." + target.getFileName() + ".restoring-"
                + ProcessHandle.current().pid());
        temporary.toFile().deleteOnExit(); // Ctrl-C ends the program without close().
        this.image = images.create(temporary);
    }

    /** A link stays one, and what it leads to is replaced, as copying into it would. */
    private static Path behindLink(Path file) throws IOException {
        try {
            return Files.isSymbolicLink(file) ? file.toRealPath() : file;
        } catch (NoSuchFileException e) {
            throw new IOException(
                    file + " is a symbolic link to nothing: remove it, or name another file with --to", e);
        }
    }

    private void checkTarget() throws IOException {
        if (Files.isDirectory(target)) {
            throw new IOException(target + " is a folder: name a file with --to");
        }
        if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.isRegularFile(target)) {
            throw new IOException(target + " is not an ordinary file: restore with '--to -' and pipe it there");
        }
        if (!overwrite) {
            throw exists(null);
        }
    }

    private Path folder() throws IOException {
        Path folder = target.getParent();
        if (folder == null) {
            throw new IOException(target + " has no folder");
        }
        return folder;
    }

    /** Its length first: writes that make a file longer wait for each other. */
    @Override
    public void expect(long imageBytes) throws IOException {
        lengthen(imageBytes);
    }

    /** A hole at the end still counts into the length: its last byte is written. */
    private void lengthen(long imageBytes) throws IOException {
        if (image.channel().size() < imageBytes) {
            put(imageBytes - 1, ByteBuffer.allocate(1));
        }
    }

    @Override
    public boolean takesAnyOrder() {
        return true;
    }

    @Override
    public boolean writesWait() {
        return image.writesWait();
    }

    @Override
    public void write(long position, ByteBuffer bytes) throws IOException {
        int first = bytes.position();
        for (int at = first; at < bytes.limit(); ) {
            boolean zero = isZeroBlock(position - first, bytes, at);
            int end = runEnd(position - first, bytes, at, zero);
            if (!zero) {
                put(position - first + at, bytes.slice(at, end - at));
            }
            at = end;
        }
    }

    private void put(long position, ByteBuffer bytes) throws IOException {
        try {
            image.write(position, bytes);
        } catch (IOException e) {
            throw new IOException(
                    "can't write " + temporary + ": " + e.getMessage()
                            + ": make room there or name another file with --to",
                    e);
        }
    }

    /**
     * Where the run of zero, or of other, blocks that begins here ends. Blocks are those of the file.
     *
     * @param base position in the file of the buffer's index 0
     */
    private static int runEnd(long base, ByteBuffer bytes, int from, boolean zero) {
        int end = blockEnd(base, bytes, from);
        while (end < bytes.limit() && isZeroBlock(base, bytes, end) == zero) {
            end = blockEnd(base, bytes, end);
        }
        return end;
    }

    private static int blockEnd(long base, ByteBuffer bytes, int from) {
        return (int) Math.min(bytes.limit(), from + BLOCK_BYTES - (base + from) % BLOCK_BYTES);
    }

    private static boolean isZeroBlock(long base, ByteBuffer bytes, int from) {
        int length = blockEnd(base, bytes, from) - from;
        return bytes.get(from) == 0 && bytes.slice(from, length).mismatch(ZEROS.slice(0, length)) < 0;
    }

    @Override
    public void writeZeros(long position, long count) {}

    @Override
    public void commit(long imageBytes) throws IOException {
        lengthen(imageBytes);
        FileChannel channel = image.channel();
        if (channel.size() != imageBytes) {
            throw new IOException(temporary + " has " + channel.size() + " bytes, not " + imageBytes);
        }
        if (durable) {
            channel.force(true);
        }
        checkTarget();
        publish();
        if (durable) {
            try (FileChannel folder = FileChannel.open(folder(), StandardOpenOption.READ)) {
                folder.force(true);
            }
        }
    }

    /** What has come to be there since is not replaced, unless that is wanted or the file system has no links. */
    private void publish() throws IOException {
        if (!overwrite) {
            try {
                Files.createLink(target, temporary);
                Files.delete(temporary);
                return;
            } catch (FileAlreadyExistsException e) {
                throw exists(e);
            } catch (UnsupportedOperationException | FileSystemException e) {
                LOG.debug("{} is made by a move: {}", target, e.getMessage());
            }
        }
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    }

    private IOException exists(@Nullable Exception cause) {
        return new IOException(target + " exists: name another file with --to, or replace it with --force", cause);
    }

    @Override
    public void close() throws IOException {
        image.close();
        Files.deleteIfExists(temporary);
    }
}
