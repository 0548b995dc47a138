// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Debian packages as files, from the registry that this machine's apt is configured for. Nothing is installed: apt
 * works on a state of its own in which no package is there, so that a package comes with everything it needs.
 *
 * <p>What was downloaded stays in the cache folder; a set that is complete there needs no network.
 */
final class DebianPackages {
    private final Children children;
    private final Path cache;
    private final Path logs;

    /** Uses (and creates) the cache folder; the log of each program called goes to the logs folder. */
    DebianPackages(Children children, Path cache, Path logs) throws IOException {
        this.children = children;
        this.cache = Files.createDirectories(cache).toAbsolutePath();
        this.logs = logs;
    }

    /** The named packages and all they depend on, in a fixed order. */
    List<Path> withDependencies(String setName, List<String> packages) throws IOException, InterruptedException {
        return download(setName, List.of("install", "--no-install-recommends", "-y", "--download-only"), packages);
    }

    /** The named packages alone. */
    List<Path> alone(String setName, List<String> packages) throws IOException, InterruptedException {
        return download(setName, List.of("download"), packages);
    }

    private List<Path> download(String setName, List<String> how, List<String> packages)
            throws IOException, InterruptedException {
        Path folder = cache.resolve(setName);
        if (!Files.exists(folder)) {
            Path partial = Files.createDirectories(cache.resolve(setName + ".partial"));
            Files.createDirectories(partial.resolve("partial"));
            updateLists();
            var words = new ArrayList<>(aptGet());
            words.addAll(List.of("-o", "Dir::Cache::archives=" + partial));
            words.addAll(how);
            words.addAll(packages);
            children.run(command("apt-get-" + setName, words, partial));
            Files.delete(partial.resolve("partial"));
            Files.move(partial, folder, StandardCopyOption.ATOMIC_MOVE);
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".deb"))
                    .sorted()
                    .toList();
        }
    }

    private void updateLists() throws IOException, InterruptedException {
        Path lists = cache.resolve("apt").resolve("lists");
        if (Files.exists(lists.resolve("done"))) {
            return;
        }
        Files.createDirectories(lists.resolve("partial"));
        Files.write(cache.resolve("apt").resolve("status"), new byte[0]);
        var words = new ArrayList<>(aptGet());
        words.add("update");
        children.run(command("apt-get-update", words, cache));
        Files.write(lists.resolve("done"), new byte[0]);
    }

    private List<String> aptGet() {
        Path apt = cache.resolve("apt");
        return List.of(
                "apt-get",
                "-q",
                "-o",
                "Acquire::Retries=3",
                "-o",
                "APT::Sandbox::User=root",
                "-o",
                "Debug::NoLocking=true",
                "-o",
                "Dir::State::lists=" + apt.resolve("lists"),
                "-o",
                "Dir::State::status=" + apt.resolve("status"),
                "-o",
                "Dir::Cache=" + apt);
    }

    /** Unpacks a package's files below a folder; where that has a symbolic link to a folder, through it. */
    void unpack(Path deb, Path root) throws IOException, InterruptedException {
        Files.createDirectories(root);
        String pipe = "dpkg-deb --fsys-tarfile \"$1\" | tar --extract --keep-directory-symlink --directory \"$2\"";
        var words = List.of("bash", "-o", "pipefail", "-c", pipe, "unpack", deb.toString(), root.toString());
        children.run(command("unpack", words, root));
    }

    /** What dpkg's status file says of a package once it is unpacked. */
    String statusParagraph(Path deb) throws IOException, InterruptedException {
        Path out = Files.createTempFile(logs, "control", ".txt");
        try {
            children.run(new Command("dpkg-deb", List.of("dpkg-deb", "-f", deb.toString()), Map.of(), logs, out));
            return Files.readString(out).strip() + "\nStatus: install ok unpacked\n\n";
        } finally {
            Files.delete(out);
        }
    }

    private Command command(String name, List<String> words, Path folder) {
        return new Command(
                name,
                words,
                Map.of("DEBIAN_FRONTEND", "noninteractive", "LC_ALL", "C.UTF-8"),
                folder,
                logs.resolve(name + ".log"));
    }
}
