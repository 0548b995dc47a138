// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** A file, sparse where the image is zero; written under a temporary name beside it. */
final class FileTarget implements RestoreTarget {

    private static final int BLOCK_BYTES = 4096;
    private static final byte[] ZEROS = new byte[BLOCK_BYTES];

    private final Path target;
    private final Path temporary;
    private final FileChannel channel;
    private final boolean overwrite;
    private final boolean durable;
    private long position;

    /**
     * Opens the temporary file.
     *
     * @param overwrite whether an existing file may be replaced
     * @param durable whether {@link #commit} waits until the disk has it
     */
    FileTarget(Path file, boolean overwrite, boolean durable) throws IOException {
        this.target = file.toAbsolutePath();
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
        this.channel = FileChannel.open(
                temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
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
            throw new IOException(target + " exists: name another file with --to, or replace it with --force");
        }
    }

    private Path folder() throws IOException {
        Path folder = target.getParent();
        if (folder == null) {
            throw new IOException(target + " has no folder");
        }
        return folder;
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        int at = 0;
        while (at < bytes.length) {
            int end = runEnd(bytes, at);
            if (!isZeroBlock(bytes, at)) {
                ByteBuffer run = ByteBuffer.wrap(bytes, at, end - at);
                while (run.hasRemaining()) {
                    put(run, position + run.position());
                }
            }
            at = end;
        }
        position += bytes.length;
    }

    private void put(ByteBuffer bytes, long at) throws IOException {
        try {
            channel.write(bytes, at);
        } catch (IOException e) {
            throw new IOException(
                    "can't write " + temporary + ": " + e.getMessage()
                            + ": make room there or name another file with --to",
                    e);
        }
    }

    /** Where the run of zero, or of other, blocks that begins here ends. Blocks are those of the file. */
    private int runEnd(byte[] bytes, int from) {
        boolean zero = isZeroBlock(bytes, from);
        int end = blockEnd(bytes, from);
        while (end < bytes.length && isZeroBlock(bytes, end) == zero) {
            end = blockEnd(bytes, end);
        }
        return end;
    }

    private int blockEnd(byte[] bytes, int from) {
        long inFile = position + from;
        return (int) Math.min(bytes.length, from + BLOCK_BYTES - inFile % BLOCK_BYTES);
    }

    private boolean isZeroBlock(byte[] bytes, int from) {
        int length = blockEnd(bytes, from) - from;
        return Arrays.equals(bytes, from, from + length, ZEROS, 0, length);
    }

    @Override
    public void writeZeros(long count) {
        position += count;
    }

    @Override
    public void commit() throws IOException {
        if (channel.size() < position) {
            extend();
        }
        if (channel.size() != position) {
            throw new IOException(temporary + " has " + channel.size() + " bytes, not " + position);
        }
        if (durable) {
            channel.force(true);
        }
        checkTarget();
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        if (durable) {
            try (FileChannel folder = FileChannel.open(folder(), StandardOpenOption.READ)) {
                folder.force(true);
            }
        }
    }

    /** A hole at the end still counts into the length: its last byte is written. */
    private void extend() throws IOException {
        put(ByteBuffer.allocate(1), position - 1);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(temporary);
    }
}
