// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import io.shredder.it.process.Children;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * A Linux disk image of more than 1 GB and its next version, after a package was installed into it.
 *
 * <p>The first is an ext4 file system with a Debian system's packages unpacked. The second is a copy of it with the
 * further package's files and the package database written in place, block by block, as the kernel of a running machine
 * would. The rest of its blocks stay where they were. Neither needs a mount or more rights than a user's.
 */
public final class LinuxImage {
    /** The image before and after. */
    public record Versions(Path first, Path second) {}

    private static final long BYTES = 1200L << 20;
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

    private LinuxImage(Path cache, Path logs, Children children) throws IOException {
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
                new LinuxImage(cache, logs, children).make(versions, tree);
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

        var system = DebianTree.create(tree.resolve("system"), packages);
        system.install(before);
        var first = Ext4Image.of(system.root(), cache.resolve("disk-1.partial"), BYTES, logs, children);

        var addition = DebianTree.additionTo(system, tree.resolve("addition"));
        addition.install(later);
        Ext4Image second = first.copyTo(cache.resolve("disk-2.partial"));
        second.change(addition.changesTo(system.root()));
        second.check();

        Files.move(first.file(), versions.first(), StandardCopyOption.ATOMIC_MOVE);
        Files.move(second.file(), versions.second(), StandardCopyOption.ATOMIC_MOVE);
    }
}
