// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A small file of what a site has seen: one line of words between a label and a CRC32C, with a space between each two,
 * old whole or new whole after a crash. Writers lock its folder, so that what one decides by what is there holds until
 * it has written, in any thread of any process.
 *
 * @param file where it is; need not be there
 * @param label what the line begins with: kind and version
 * @param words how many are between label and CRC32C
 * @param remedy what to do if it is damaged
 */
record StateFile(Path file, String label, int words, String remedy) {

    private static final String LOCK = ".lock";

    /** The words; empty if there is no file. */
    Optional<List<String>> read() throws IOException {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        int end = bytes.length - 1;
        if (end < 0 || bytes[end] != '\n') {
            throw damaged(bytes.length, "its line has no end");
        }
        String line = new String(bytes, 0, end, StandardCharsets.ISO_8859_1);
        int crcAt = line.lastIndexOf(' ') + 1;
        if (!line.equals(ended(line.substring(0, Math.max(0, crcAt - 1))))) {
            throw damaged(crcAt, "it has another CRC32C");
        }
        List<String> all = Arrays.asList(line.substring(0, crcAt - 1).split(" ", -1));
        if (!all.get(0).equals(label) || all.size() != words + 1) {
            throw damaged(
                    0,
                    "it begins with '" + all.get(0) + "' and has " + all.size() + " words; this program reads '" + label
                            + "' and " + (words + 1));
        }
        return Optional.of(all.subList(1, all.size()));
    }

    /** An error about this file. */
    IOException damaged(int offset, String problem) {
        return new IOException(file + ": damaged at offset " + offset + ": " + problem + ": " + remedy);
    }

    /** Whether what is there may be replaced. */
    @FunctionalInterface
    interface Decision {
        /** Judges the words that are there, if any are. */
        boolean replaces(Optional<List<String>> there) throws IOException;
    }

    /** Writes the words, whatever is there. */
    void write(List<String> all) throws IOException {
        lockedWith(() -> replace(all));
    }

    /** Writes the words if what is there may be replaced, which nobody changes meanwhile. */
    void write(List<String> all, Decision decision) throws IOException {
        lockedWith(() -> {
            if (decision.replaces(read())) {
                replace(all);
            }
        });
    }

    /** Forgets it. */
    void delete() throws IOException {
        if (Files.exists(file)) {
            lockedWith(() -> Files.deleteIfExists(file));
        }
    }

    @FunctionalInterface
    private interface Change {
        void make() throws IOException;
    }

    private void lockedWith(Change change) throws IOException {
        Path folder = folder();
        Files.createDirectories(folder);
        // A process can't wait for a lock that it has itself.
        synchronized (StateFile.class) {
            try (FileChannel channel = FileChannel.open(
                            folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                if (!held.isValid()) {
                    throw new IOException("can't lock " + folder);
                }
                change.make();
            }
        }
    }

    private void replace(List<String> all) throws IOException {
        Path temporary = folder().resolve("." + file.getFileName() + ".new");
        ByteBuffer left = ByteBuffer.wrap(
                (ended(label + " " + String.join(" ", all)) + "\n").getBytes(StandardCharsets.US_ASCII));
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String ended(String start) {
        CRC32C crc = new CRC32C();
        crc.update(start.getBytes(StandardCharsets.ISO_8859_1));
        return start + " " + String.format("%08x", (int) crc.getValue());
    }

    private Path folder() {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IllegalArgumentException(file + " has no folder");
        }
        return folder;
    }
}
