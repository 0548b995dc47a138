// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Two releases of one source tree of about 200 MB, the JDK's: the one that Debian 12 came with last, and the newest one
 * of its security updates.
 */
public final class SourceReleases {
    private static final String PACKAGE = "openjdk-17-source";
    private static final List<String> SUITES = List.of("bookworm", "bookworm-security");
    private static final int BUFFER_BYTES = 1 << 20;

    private final Path cache;
    private final Path logs;
    private final Children children;

    private SourceReleases(Path cache, Path logs, Children children) {
        this.cache = cache;
        this.logs = logs;
        this.children = children;
    }

    /**
     * One release.
     *
     * @param version as the package names it
     * @param text all files, one behind the other in the order of names
     * @param tar the tree, in the order of names and with the same times in both releases
     */
    public record Release(String version, Path text, Path tar) {}

    /** The earlier and the later one, made in the cache folder if missing; equal if there was no update yet. */
    public static List<Release> in(Path cache, Path logs, Children children) throws IOException, InterruptedException {
        var releases = new SourceReleases(cache, logs, children);
        var found = new ArrayList<Release>();
        for (String suite : SUITES) {
            found.add(releases.release(suite));
        }
        return List.copyOf(found);
    }

    private Release release(String suite) throws IOException, InterruptedException {
        var packages = new DebianPackages(children, cache, logs);
        Path deb = packages.alone("sources-" + suite, List.of(PACKAGE + "/" + suite))
                .get(0);
        String version = deb.getFileName().toString().split("_", -1)[1];
        var release = new Release(
                version, cache.resolve("sources-" + suite + ".txt"), cache.resolve("sources-" + suite + ".tar"));
        if (!Files.exists(release.tar())) {
            Path root = Files.createTempDirectory(cache, "sources");
            try {
                packages.unpack(deb, root);
                write(sourceZip(root), root.resolve("tree"), release);
            } finally {
                Folders.delete(root);
            }
        }
        return release;
    }

    private static Path sourceZip(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.endsWith("src.zip") && Files.isRegularFile(file))
                    .findFirst()
                    .orElseThrow(() -> new IOException(PACKAGE + " has no src.zip"));
        }
    }

    /** The tar appears last, so that it says that both are there. */
    private void write(Path zip, Path tree, Release release) throws IOException, InterruptedException {
        Path text = partial(release.text());
        try (var file = new ZipFile(zip.toFile());
                OutputStream out = new BufferedOutputStream(Files.newOutputStream(text), BUFFER_BYTES)) {
            for (ZipEntry entry : sorted(file)) {
                Path target = tree.resolve(entry.getName());
                Files.createDirectories(target.getParent());
                try (InputStream in = file.getInputStream(entry)) {
                    Files.copy(in, target);
                }
                Files.copy(target, out);
            }
        }
        Path tar = partial(release.tar());
        List<String> words = List.of(
                "tar",
                "--sort=name",
                "--owner=0",
                "--group=0",
                "--mtime=@0",
                "--format=ustar",
                "-cf",
                tar.toString(),
                ".");
        children.run(new Command("tar", words, Map.of("LC_ALL", "C"), tree, logs.resolve("sources-tar.log")));
        Files.move(text, release.text(), StandardCopyOption.ATOMIC_MOVE);
        Files.move(tar, release.tar(), StandardCopyOption.ATOMIC_MOVE);
    }

    private static List<? extends ZipEntry> sorted(ZipFile file) {
        return file.stream()
                .filter(entry -> !entry.isDirectory())
                .sorted(Comparator.comparing(ZipEntry::getName))
                .toList();
    }

    private static Path partial(Path file) {
        return file.resolveSibling(file.getFileName() + ".partial");
    }
}
