// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A disk image with one ext4 file system on the whole of it, made and changed by e2fsprogs without a mount or more
 * rights than a user's. The same content and steps give the same blocks at the same places. For one thread.
 */
final class Ext4Image {
    /** Bytes of a block. */
    static final int BLOCK_BYTES = 4096;

    private static final String FIXED_UUID = "5a17d3c9-6b45-4d2c-9a00-0123456789ab";
    private static final String FIXED_TIME = "1767225600";
    private static final Pattern EXTENT = Pattern.compile(
            "^\\s*\\d+/\\s*\\d+\\s+\\d+/\\s*\\d+\\s+(\\d+)\\s+-\\s+\\d+\\s+(\\d+)\\s+-\\s+\\d+\\s+(\\d+)\\s*$",
            Pattern.MULTILINE);

    /**
     * A run of a file's blocks that lie one after the other on the disk.
     *
     * @param fileBlock the first of them, counted in the file
     * @param diskBlock where that lies
     * @param blocks how many
     */
    record Extent(long fileBlock, long diskBlock, long blocks) {}

    private final Path image;
    private final Path logs;
    private final Children children;

    private Ext4Image(Path image, Path logs, Children children) {
        this.image = image;
        this.logs = logs;
        this.children = children;
    }

    /** Makes an image of so many bytes that holds a folder's tree; blocks that hold nothing are holes of the file. */
    static Ext4Image of(Path tree, Path image, long bytes, Path logs, Children children)
            throws IOException, InterruptedException {
        Files.deleteIfExists(image);
        var made = new Ext4Image(image, logs, children);
        String settings = "root_owner=0:0,hash_seed=" + FIXED_UUID;
        var words = new ArrayList<>(List.of(
                "mke2fs", "-q", "-F", "-t", "ext4", "-b", Integer.toString(BLOCK_BYTES), "-L", "shredder-demo"));
        words.addAll(List.of("-U", FIXED_UUID, "-E", settings, "-d", tree.toString()));
        words.addAll(List.of(image.toString(), Long.toString(bytes / BLOCK_BYTES)));
        made.run("mke2fs", words);
        made.check();
        return made;
    }

    /** Copies the image, holes included. */
    Ext4Image copyTo(Path copy) throws IOException, InterruptedException {
        Files.deleteIfExists(copy);
        run("copy", List.of("cp", "--sparse=always", image.toString(), copy.toString()));
        return new Ext4Image(copy, logs, children);
    }

    Path file() {
        return image;
    }

    /** Has debugfs carry out commands, such as {@code write FILE "/path"}; fails if it complains of any. */
    void change(List<String> commands) throws IOException, InterruptedException {
        Path log = logs.resolve("debugfs.log");
        Files.deleteIfExists(log);
        Path script = Files.write(logs.resolve("debugfs.commands"), commands);
        run("debugfs", List.of("debugfs", "-w", "-f", script.toString(), image.toString()));
        failOnComplaints(log);
    }

    /** Where a file's blocks lie, in the order of the file. */
    List<Extent> extents(String path) throws IOException, InterruptedException {
        Path log = logs.resolve("extents.log");
        Files.deleteIfExists(log);
        run("extents", List.of("debugfs", "-R", "dump_extents -l \"" + path + "\"", image.toString()));
        Matcher line = EXTENT.matcher(Files.readString(log, StandardCharsets.UTF_8));
        var extents = new ArrayList<Extent>();
        while (line.find()) {
            extents.add(new Extent(number(line, 1), number(line, 2), number(line, 3)));
        }
        if (extents.isEmpty()) {
            throw new IOException("debugfs tells no extents of " + path + " in " + image + " (log: " + log + ")");
        }
        return extents;
    }

    /**
     * Overwrites those blocks of a file that differ between two versions of it, where they lie.
     *
     * @param path of the file in the image, absolute
     * @param before what the file holds
     * @param after what it shall hold, of the same length
     */
    void overwrite(String path, Path before, Path after) throws IOException, InterruptedException {
        if (Files.size(before) != Files.size(after)) {
            throw new IOException(after + " has not the length of " + before + ", so it can't be written in its place");
        }
        try (var old = FileChannel.open(before);
                var changed = FileChannel.open(after);
                var disk = FileChannel.open(image, StandardOpenOption.WRITE)) {
            for (Extent extent : extents(path)) {
                for (long i = 0; i < extent.blocks(); i++) {
                    ByteBuffer block = block(changed, extent.fileBlock() + i);
                    if (!block.equals(block(old, extent.fileBlock() + i))) {
                        disk.write(block, (extent.diskBlock() + i) * BLOCK_BYTES);
                    }
                }
            }
        }
    }

    private static ByteBuffer block(FileChannel file, long number) throws IOException {
        var block = ByteBuffer.allocate(BLOCK_BYTES);
        while (block.hasRemaining() && file.read(block, number * BLOCK_BYTES + block.position()) >= 0) {
            // a file's channel may return less than was asked for
        }
        return block.flip();
    }

    /** Fails unless the file system is sound. */
    void check() throws IOException, InterruptedException {
        run("e2fsck", List.of("e2fsck", "-f", "-n", image.toString()));
    }

    /** debugfs exits with 0 whatever happened; it has failed if it said more than what it was told and did. */
    private static void failOnComplaints(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            Optional<String> complaint = lines.filter(
                            line -> !line.isBlank() && !line.startsWith("debugfs") && !line.startsWith("Allocated"))
                    .findFirst();
            if (complaint.isPresent()) {
                throw new IOException("debugfs: " + complaint.get() + " (log: " + log + ")");
            }
        }
    }

    private static long number(Matcher matcher, int group) {
        return Long.parseLong(matcher.group(group));
    }

    private void run(String name, List<String> words) throws IOException, InterruptedException {
        var environment = Map.of("PATH", System.getenv("PATH") + ":/sbin:/usr/sbin", "E2FSPROGS_FAKE_TIME", FIXED_TIME);
        children.run(new Command(name, words, environment, logs, logs.resolve(name + ".log")));
    }
}
