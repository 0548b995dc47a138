// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A folder with a Debian system's packages unpacked in it, as a disk's content needs them: none is configured. */
final class DebianTree {
    private static final String STATUS_FILE = "var/lib/dpkg/status";

    private final Path root;
    private final DebianPackages packages;
    private final StringBuilder status;

    private DebianTree(Path root, DebianPackages packages, String status) {
        this.root = root;
        this.packages = packages;
        this.status = new StringBuilder(status);
    }

    /** An empty system in Debian's merged layout: the old top folders are links into /usr. */
    static DebianTree create(Path root, DebianPackages packages) throws IOException {
        for (String folder : List.of("bin", "sbin", "lib", "lib64")) {
            Files.createDirectories(root.resolve("usr").resolve(folder));
            Files.createSymbolicLink(root.resolve(folder), Path.of("usr", folder));
        }
        return new DebianTree(root, packages, "");
    }

    /** A folder for what is added to a system later, with the system's package database to go on from. */
    static DebianTree additionTo(DebianTree system, Path root) throws IOException {
        Files.createDirectories(root);
        return new DebianTree(root, system.packages, system.status.toString());
    }

    Path root() {
        return root;
    }

    /** Unpacks packages and writes the package database. */
    void install(List<Path> debs) throws IOException, InterruptedException {
        for (Path deb : debs) {
            packages.unpack(deb, root);
            status.append(packages.statusParagraph(deb));
        }
        Path file = root.resolve(STATUS_FILE);
        Files.createDirectories(file.getParent());
        Files.writeString(file, status);
    }

    /** The words that tell debugfs to put every file of this tree into an image that was made of {@code system}. */
    List<String> changesTo(Path system) throws IOException {
        var lines = new ArrayList<String>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted().toList()) {
                Path relative = root.relativize(file);
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
}
