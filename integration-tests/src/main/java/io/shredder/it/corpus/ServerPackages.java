// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is installed on a {@link ServerDisk}.
 *
 * @param name of the set in the cache
 * @param first there from the start, with all they depend on
 * @param later installed afterwards
 * @param media packages of sources, whose archives alone lie on the disk
 * @param laterMedia likewise, only afterwards
 */
record ServerPackages(
        String name, List<String> first, List<String> later, List<String> media, List<String> laterMedia) {
    private static final long WHOLE_SET_BYTES = 4L << 30;
    private static final List<String> SYSTEM = List.of(
            "base-files", "bash", "coreutils", "apt", "systemd-sysv", "ca-certificates", "python3", "git", "nginx");
    private static final List<String> DEVELOPMENT = List.of(
            "linux-image-cloud-amd64",
            "openjdk-17-jdk-headless",
            "g++",
            "clang-14",
            "nodejs",
            "php-cli",
            "postgresql-15",
            "mariadb-server",
            "python3-scipy",
            "texlive-latex-base");

    /** The sets for a disk of so many bytes. */
    static ServerPackages forDiskOf(long bytes) {
        if (bytes < WHOLE_SET_BYTES) {
            return new ServerPackages(
                    "server-small", SYSTEM, List.of("vim"), List.of("glibc-source"), List.of("binutils-source"));
        }
        var first = new ArrayList<>(SYSTEM);
        first.addAll(DEVELOPMENT);
        return new ServerPackages(
                "server",
                first,
                List.of("vim", "ruby", "gdb", "tmux"),
                List.of("linux-source-6.1", "gcc-12-source"),
                List.of("openjdk-17-source"));
    }

    /** The archives of packages and of all they depend on, less those in another set. */
    static List<Path> without(List<Path> debs, List<Path> others) {
        var names = others.stream().map(Path::getFileName).toList();
        return debs.stream().filter(deb -> !names.contains(deb.getFileName())).toList();
    }

    /** The archives of media, each in a set of its own, which other corpora share. */
    static List<Path> archives(DebianPackages packages, List<String> names) throws IOException, InterruptedException {
        var archives = new ArrayList<Path>();
        for (String name : names) {
            archives.addAll(packages.alone("text-" + name, List.of(name)));
        }
        return archives;
    }
}
