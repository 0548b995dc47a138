// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.files;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Small images of the file systems that can be read, made by each file system's own programs without mounting any:
 * Debian's e2fsprogs, xfsprogs, btrfs-progs, ntfs-3g, dosfstools, mtools and fdisk.
 */
final class FileImages {

    private static final long MIB = 1 << 20;
    private static final long MOST_S = 120;

    private FileImages() {}

    /**
     * An image and what is in it.
     *
     * @param kind such as {@code ext4}
     * @param file the image
     * @param contents a folder with the same files
     */
    record Made(String kind, Path file, Path contents) {}

    /**
     * Makes one of each kind.
     *
     * @throws IOException if a program is missing or fails; names it
     */
    static List<Made> make(Path folder, long seed) throws IOException {
        Path contents = contents(folder.resolve("contents"), new Random(seed));
        List<Made> made = new ArrayList<>();
        for (String kind :
                List.of("ext2", "ext4", "xfs", "btrfs", "ntfs", "fat16", "fat32", "ext4-in-mbr", "fat-in-gpt")) {
            Path file = folder.resolve(kind + ".img");
            Files.deleteIfExists(file);
            fill(kind, file, contents, folder);
            made.add(new Made(kind, file, contents));
        }
        return made;
    }

    private static Path contents(Path root, Random random) throws IOException {
        Path deep = Files.createDirectories(root.resolve("folder/deeper"));
        Path many = Files.createDirectories(root.resolve("many"));
        for (int i = 0; i < 300; i++) {
            Files.writeString(many.resolve("file-" + i), "number " + i + "\n");
        }
        byte[] noise = new byte[1_000_000];
        random.nextBytes(noise);
        Files.write(deep.resolve("noise"), noise);
        Files.writeString(deep.resolve("text"), "the same line again and again\n".repeat(20_000));
        return root;
    }

    private static void fill(String kind, Path file, Path contents, Path folder) throws IOException {
        switch (kind) {
            case "ext2", "ext4" -> {
                size(file, 24 * MIB);
                run(folder, "mkfs." + kind, "-q", "-F", "-d", contents.toString(), file.toString());
            }
            case "xfs" -> {
                size(file, 320 * MIB);
                Path prototype = Files.writeString(folder.resolve("prototype"), prototype(contents));
                run(folder, "mkfs.xfs", "-q", "-f", "-p", prototype.toString(), file.toString());
            }
            case "btrfs" -> {
                size(file, 128 * MIB);
                run(folder, "mkfs.btrfs", "-q", "--rootdir", contents.toString(), file.toString());
            }
            case "ntfs" -> {
                size(file, 24 * MIB);
                run(folder, "mkntfs", "-q", "-F", "-s", "512", "-p", "0", "-H", "16", "-S", "63", file.toString());
                for (String name : List.of("noise", "text")) {
                    Path source = contents.resolve("folder/deeper").resolve(name);
                    run(folder, "ntfscp", file.toString(), source.toString(), name);
                }
            }
            case "fat16" -> fat(file, 24 * MIB, "16", contents, folder);
            case "fat32" -> fat(file, 64 * MIB, "32", contents, folder);
            case "ext4-in-mbr" -> partitioned(file, folder.resolve("ext4.img"), "label: dos\n2048,,83\n", folder);
            default -> partitioned(file, folder.resolve("fat16.img"), "label: gpt\n2048,,U\n", folder);
        }
    }

    private static void fat(Path file, long bytes, String width, Path contents, Path folder) throws IOException {
        size(file, bytes);
        run(folder, "mkfs.vfat", "-F", width, file.toString());
        for (String name : List.of("folder", "many")) {
            run(
                    folder,
                    "mcopy",
                    "-s",
                    "-i",
                    file.toString(),
                    contents.resolve(name).toString(),
                    "::/");
        }
    }

    private static void partitioned(Path file, Path inside, String table, Path folder) throws IOException {
        long bytes = Files.size(inside);
        size(file, bytes + 2 * MIB);
        Path script = Files.writeString(folder.resolve("table"), table);
        run(folder, "sh", "-c", "sfdisk -q '" + file + "' < '" + script + "'");
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.seek(MIB);
            out.write(Files.readAllBytes(inside));
        }
    }

    private static void size(Path file, long bytes) throws IOException {
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.setLength(bytes);
        }
    }

    /** As mkfs.xfs(8) reads it. */
    private static String prototype(Path contents) throws IOException {
        StringBuilder text = new StringBuilder("/dev/null\n0 0\nd--755 0 0\n");
        prototype(contents, text);
        return text.append("$\n").toString();
    }

    private static void prototype(Path folder, StringBuilder text) throws IOException {
        List<Path> entries;
        try (Stream<Path> all = Files.list(folder)) {
            entries = all.sorted().toList();
        }
        for (Path entry : entries) {
            if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                text.append(entry.getFileName()).append(" d--755 0 0\n");
                prototype(entry, text);
                text.append("$\n");
            } else {
                text.append(entry.getFileName()).append(" ---" + octal(entry) + " 0 0 " + entry + "\n");
            }
        }
    }

    private static String octal(Path file) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        String letters = PosixFilePermissions.toString(permissions);
        int mode = 0;
        for (int i = 0; i < letters.length(); i++) {
            mode = mode << 1 | (letters.charAt(i) == '-' ? 0 : 1);
        }
        return Integer.toOctalString(mode);
    }

    /** Runs a program to its end; fails unless it ends with 0. */
    static void run(Path folder, String... words) throws IOException {
        Path log = folder.resolve("programs.log");
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().merge("PATH", ":/usr/sbin:/sbin", String::concat);
        builder.environment().put("MTOOLS_SKIP_CHECK", "1");
        Process program = builder.start();
        try {
            if (!program.waitFor(MOST_S, TimeUnit.SECONDS) || program.exitValue() != 0) {
                throw new IOException(
                        words[0] + " failed: " + new String(Files.readAllBytes(log), StandardCharsets.UTF_8).strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + words[0] + " ran", e);
        } finally {
            program.destroyForcibly();
        }
    }
}
