// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Linux disk image of more than 1 GB and its next version, after a package was installed into it.
 *
 * <p>The first is an ext4 file system with a Debian system's packages unpacked. The second is a copy of it into which the
 * further package's files and the package database were written in place, block by block, as the kernel of a running
 * machine would; the rest of its blocks stay where they were. Neither needs a mount or more rights than a user's.
 */
public final class DiskImage {
    /** The image before and after. */
    public record Versions(Path first, Path second) {}

    private static final String SIZE = "1200M";
    private static final String FIXED_UUID = "5a17d3c9-6b45-4d2c-9a00-0123456789ab";
    private static final String STATUS_FILE = "var/lib/dpkg/status";
    private static final List<String> SYSTEM = List.of(
            "base-files",
            "bash",
            "coreutils",
            "apt",
            "systemd-sysv",
            "ca-certificates",
            "linux-image-cloud-amd64",
            "openjdk-17-jre-headless",
            "python3",
            "git",
            "g++");
    private static final List<String> INSTALLED_LATER = List.of("vim");

    private final Path cache;
    private final Path logs;
    private final Children children;
    private final DebianPackages packages;

    private DiskImage(Path cache, Path logs, Children children) throws IOException {
        this.cache = cache;
        this.logs = logs;
        this.children = children;
        this.packages = new DebianPackages(children, cache, logs);
    }

    /** Returns both images in the cache folder, making them if they are not there. */
    public static Versions in(Path cache, Path logs, Children children) throws IOException, InterruptedException {
        var versions = new Versions(cache.resolve("disk-1.img"), cache.resolve("disk-2.img"));
        if (!Files.exists(versions.second())) {
            Path tree = Files.createTempDirectory(cache, "tree");
            try {
                new DiskImage(cache, logs, children).make(versions, tree);
            } finally {
                Folders.delete(tree);
            }
        }
        return versions;
    }

    private void make(Versions versions, Path tree) throws IOException, InterruptedException {
        List<Path> before = packages.withDependencies("disk-packages", SYSTEM);
        List<Path> later = packages.withDependencies("disk-packages-later", INSTALLED_LATER);
        var names = before.stream().map(Path::getFileName).toList();
        later = later.stream().filter(deb -> !names.contains(deb.getFileName())).toList();

        Path system = Files.createDirectories(tree.resolve("system"));
        makeMergedUsr(system);
        String status = install(before, system);
        makeFileSystem(system, cache.resolve("disk-1.partial"));

        Path addition = Files.createDirectories(tree.resolve("addition"));
        writeStatus(addition, status + install(later, addition));
        writeSecond(addition, system);

        Files.move(cache.resolve("disk-1.partial"), versions.first(), StandardCopyOption.ATOMIC_MOVE);
        Files.move(cache.resolve("disk-2.partial"), versions.second(), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Debian's merged layout: the old top folders are links into /usr. */
    private static void makeMergedUsr(Path root) throws IOException {
        for (String folder : List.of("bin", "sbin", "lib", "lib64")) {
            Files.createDirectories(root.resolve("usr").resolve(folder));
            Files.createSymbolicLink(root.resolve(folder), Path.of("usr", folder));
        }
    }

    /** Unpacks packages and leaves the package database; returns its text. */
    private String install(List<Path> debs, Path root) throws IOException, InterruptedException {
        var status = new StringBuilder();
        for (Path deb : debs) {
            packages.unpack(deb, root);
            status.append(packages.statusParagraph(deb));
        }
        writeStatus(root, status.toString());
        return status.toString();
    }

    private static void writeStatus(Path root, String status) throws IOException {
        Path file = root.resolve(STATUS_FILE);
        Files.createDirectories(file.getParent());
        Files.writeString(file, status);
    }

    private void makeFileSystem(Path tree, Path image) throws IOException, InterruptedException {
        Files.deleteIfExists(image);
        run(
                "mke2fs",
                List.of(
                        "mke2fs",
                        "-q",
                        "-F",
                        "-t",
                        "ext4",
                        "-b",
                        "4096",
                        "-L",
                        "shredder-demo",
                        "-U",
                        FIXED_UUID,
                        "-E",
                        "root_owner=0:0,hash_seed=" + FIXED_UUID,
                        "-d",
                        tree.toString(),
                        image.toString(),
                        SIZE));
        check(image);
    }

    private void writeSecond(Path addition, Path system) throws IOException, InterruptedException {
        Path image = cache.resolve("disk-2.partial");
        run(
                "copy",
                List.of("cp", "--sparse=always", cache.resolve("disk-1.partial").toString(), image.toString()));
        Files.deleteIfExists(logs.resolve("debugfs.log"));
        Path script = Files.write(logs.resolve("debugfs.commands"), changes(addition, system));
        run("debugfs", List.of("debugfs", "-w", "-f", script.toString(), image.toString()));
        failOnComplaints(logs.resolve("debugfs.log"));
        check(image);
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

    /** The words that tell debugfs to put every file of {@code addition} into the image made of {@code system}. */
    private static List<String> changes(Path addition, Path system) throws IOException {
        var lines = new ArrayList<String>();
        try (Stream<Path> files = Files.walk(addition)) {
            for (Path file : files.sorted().toList()) {
                Path relative = addition.relativize(file);
                String target = "\"/" + relative + "\"";
                boolean there = Files.exists(system.resolve(relative), LinkOption.NOFOLLOW_LINKS);
                if (Files.isSymbolicLink(file)) {
                    if (!there) {
                        lines.add("symlink " + target + " \"" + Files.readSymbolicLink(file) + "\"");
                    }
                } else if (Files.isDirectory(file)) {
                    if (!there && !relative.toString().isEmpty()) {
                        lines.add("mkdir " + target);
                    }
                } else {
                    if (there) {
                        lines.add("rm " + target);
                    }
                    lines.add("write \"" + file + "\" " + target);
                }
            }
        }
        return lines;
    }

    private void check(Path image) throws IOException, InterruptedException {
        run("e2fsck", List.of("e2fsck", "-f", "-n", image.toString()));
    }

    private void run(String name, List<String> words) throws IOException, InterruptedException {
        children.run(new Command(
                name,
                words,
                Map.of("PATH", System.getenv("PATH") + ":/sbin:/usr/sbin"),
                cache,
                logs.resolve(name + ".log")));
    }
}
