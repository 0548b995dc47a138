// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;

/**
 * Files on this machine's disk in which objects grow. One that is done with is written over by the next, since new
 * pages and blocks cost more than the bytes in them; of such there are at most as many as are in use. Safe for any
 * number of threads.
 */
final class SpoolFolder {

    private final Path folder;

    // Guarded by this.
    private final Deque<Path> free = new ArrayDeque<>();
    private int inUse;
    private long made;

    SpoolFolder(Path folder) {
        this.folder = folder;
    }

    /** Makes the folder, or empties it of what a process left that died. */
    void empty() throws IOException {
        Files.createDirectories(folder);
        try (Stream<Path> left = Files.list(folder)) {
            for (Path file : left.toList()) {
                Files.delete(file);
            }
        }
    }

    /** A file for one who grows; it may be there, with anything in it. */
    synchronized Path take() {
        inUse++;
        Path used = free.pollLast();
        return used != null ? used : folder.resolve(++made + ".part");
    }

    /** A file that nobody reads or writes any more. */
    synchronized void giveBack(Path file) throws IOException {
        inUse--;
        free.addLast(file);
        trim();
    }

    /** A file that somebody may still be reading: nobody writes over it. */
    synchronized void discard(Path file) throws IOException {
        inUse--;
        Files.deleteIfExists(file);
        trim();
    }

    private void trim() throws IOException {
        while (free.size() > inUse) {
            Files.deleteIfExists(free.removeFirst());
        }
    }
}
