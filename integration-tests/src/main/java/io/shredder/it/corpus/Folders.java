// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Whole folders. */
public final class Folders {
    /** The unit of {@code st_blocks}, whatever the file system's is. */
    private static final long BLOCK_BYTES = 512;

    private Folders() {}

    /** The sum of all files' lengths in a folder; 0 if it is not there. Files that go meanwhile may count. */
    public static long bytes(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return 0;
        }
        var total = new AtomicLong();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                total.addAndGet(attributes.isRegularFile() ? attributes.size() : 0);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                return FileVisitResult.CONTINUE;
            }
        });
        return total.get();
    }

    /**
     * What all files in a folder take of the disk, added up: their lengths, without their holes. What a file system
     * rounds up does not count, since that would be held against whoever keeps many small files.
     */
    public static long occupiedBytes(Path folder) throws IOException {
        var find = new ProcessBuilder("find", folder.toString(), "-type", "f", "-printf", "%s %b\n")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        long total = 0;
        try (var lines = find.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split(" ", -1);
                total += Math.min(Long.parseLong(fields[0]), BLOCK_BYTES * Long.parseLong(fields[1]));
            }
        }
        return total;
    }

    /** Deletes a folder and everything in it; symbolic links are not followed. No error if it is not there. */
    public static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e) throws IOException {
                if (e != null) {
                    throw e;
                }
                Files.deleteIfExists(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
