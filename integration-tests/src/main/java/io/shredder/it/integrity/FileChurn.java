// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;

/**
 * A neighbour that waits for its disk: threads that write small files, force them to the disk, read them again and
 * remove them, as a build does that keeps many small files. It stands for the paper's build of a web server (section
 * 4.5), and needs neither sources nor a compiler. A program by itself. A unit of its work is one file.
 */
public final class FileChurn {
    private static final int FILE_BYTES = 16 << 10;
    private static final int FILES_AT_ONCE = 16;

    private FileChurn() {}

    /**
     * Writes until it is ended.
     *
     * @param args how many threads, a folder on the disk, and the {@link WorkLog}'s file
     */
    public static void main(String[] args) throws IOException {
        var done = new LongAdder();
        int threads = Integer.parseInt(args[0]);
        for (int i = 0; i < threads; i++) {
            Path folder = Files.createDirectories(Path.of(args[1]).resolve("churn-" + i));
            var thread = new Thread(() -> churn(folder, done), "churn");
            thread.setDaemon(true);
            thread.start();
        }
        WorkLog.keep(Path.of(args[2]), done::sum);
    }

    private static void churn(Path folder, LongAdder done) {
        var random = new Random(1);
        ByteBuffer content = ByteBuffer.allocateDirect(FILE_BYTES);
        byte[] bytes = new byte[FILE_BYTES];
        try {
            while (true) {
                random.nextBytes(bytes);
                content.clear().put(bytes).flip();
                for (int i = 0; i < FILES_AT_ONCE; i++) {
                    write(folder.resolve("file-" + i), content.rewind());
                }
                for (int i = 0; i < FILES_AT_ONCE; i++) {
                    read(folder.resolve("file-" + i), content.rewind());
                    done.increment();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, ByteBuffer content) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (content.hasRemaining()) {
                channel.write(content);
            }
            channel.force(true);
        }
    }

    private static void read(Path file, ByteBuffer expected) throws IOException {
        if (!ByteBuffer.wrap(Files.readAllBytes(file)).equals(expected)) {
            throw new IOException(file + " does not hold what was written");
        }
        Files.delete(file);
    }
}
