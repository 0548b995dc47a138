// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** A file that gets its name when all of it is there; until then it lies beside it under another. For one thread. */
final class NewFile implements Closeable {

    private final Path target;
    private final Path temporary;
    private final boolean overwrite;
    private final FileChannel channel;

    private NewFile(Path target, Path temporary, boolean overwrite, FileChannel channel) {
        this.target = target;
        this.temporary = temporary;
        this.overwrite = overwrite;
        this.channel = channel;
    }

    /**
     * Begins one.
     *
     * @param overwrite whether an ordinary file may be replaced that is there, or is there by the end
     * @param work in the temporary name, says what was going on
     */
    static NewFile create(Path file, boolean overwrite, String work) throws IOException {
        Path target = file.toAbsolutePath();
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException(file + " is there and is not an ordinary file: name another");
            }
            if (!overwrite) {
                throw exists(file);
            }
        }
        Path folder = folderOf(target);
        if (!Files.isDirectory(folder)) {
            throw new IOException("folder " + folder + " doesn't exist: make it first");
        }
        String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        Path temporary = folder.resolve("." + target.getFileName() + "." + work + "-" + random);
        FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        temporary.toFile().deleteOnExit(); // Ctrl-C ends the program without close().
        return new NewFile(target, temporary, overwrite, channel);
    }

    private static IOException exists(Path file) {
        return new IOException(file + " exists: name another place, or replace it with --force");
    }

    private static Path folderOf(Path target) throws IOException {
        Path folder = target.getParent();
        if (folder == null) {
            throw new IOException(target + " is no file: name one");
        }
        return folder;
    }

    /** Writes all that remains. */
    void write(ByteBuffer bytes, long position) throws IOException {
        ByteBuffer rest = bytes.duplicate();
        try {
            for (long at = position; rest.hasRemaining(); ) {
                at += channel.write(rest, at);
            }
        } catch (IOException e) {
            throw new IOException("can't write " + temporary + ": " + e.getMessage() + ": make room there", e);
        }
    }

    /** Waits until the disk has what was written. */
    void force() throws IOException {
        channel.force(true);
    }

    /**
     * Gives the file its name, durably, once it was forced.
     *
     * @throws IOException if meanwhile another came to have the name, and it may not be replaced
     */
    Path publish() throws IOException {
        channel.close();
        if (overwrite) {
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } else {
            takeFreeName();
        }
        forceFolder(folderOf(target));
        return target;
    }

    /** Waits until the disk has the names in it. */
    static void forceFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** A rename may replace; a second name for the file is only given if it is free, whoever else tries. */
    private void takeFreeName() throws IOException {
        try {
            Files.createLink(target, temporary);
        } catch (FileAlreadyExistsException e) {
            throw exists(target);
        } catch (FileSystemException | UnsupportedOperationException e) {
            moveToFreeName();
            return;
        }
        Files.delete(temporary);
    }

    /** For file systems without links: another process may still come between the look and the rename. */
    void moveToFreeName() throws IOException {
        try {
            Files.move(temporary, target);
        } catch (FileAlreadyExistsException e) {
            throw exists(target);
        }
    }

    /** Leaves nothing behind that was not published. */
    @Override
    public void close() {
        try {
            channel.close();
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // The program's end deletes it; whatever made this one give up is what the user hears of.
            return;
        }
    }
}
