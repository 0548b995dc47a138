// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import io.shredder.it.process.Children;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A text of more than 200 MB: the JDK's sources and those of Python's test suite, file by file in order of names. */
public final class TextCorpus {
    private static final long LEAST_BYTES = 200_000_000;
    private static final List<String> PACKAGES = List.of("openjdk-17-source", "libpython3.11-testsuite");

    private TextCorpus() {}

    /** Returns the text's file in the cache folder, making it if it is not there. */
    public static Path in(Path cache, Path logs, Children children) throws IOException, InterruptedException {
        Path text = cache.resolve("text-1.txt");
        if (!Files.exists(text)) {
            var packages = new DebianPackages(children, cache, logs);
            Path root = Files.createTempDirectory(cache, "text");
            try {
                for (Path deb : packages.alone("text-packages", PACKAGES)) {
                    packages.unpack(deb, root);
                }
                Path partial = cache.resolve("text-1.partial");
                write(root, partial);
                Files.move(partial, text, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Folders.delete(root);
            }
        }
        return text;
    }

    private static void write(Path root, Path text) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(text), 1 << 20);
                Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted().toList()) {
                if (file.getFileName().toString().equals("src.zip") && Files.isRegularFile(file)) {
                    appendZip(file, out);
                } else if (file.toString().endsWith(".py") && Files.isRegularFile(file)) {
                    try (InputStream in = Files.newInputStream(file)) {
                        append(root.relativize(file).toString(), in, out);
                    }
                }
            }
        }
        if (Files.size(text) < LEAST_BYTES) {
            throw new IOException("the packages " + PACKAGES + " hold only " + Files.size(text)
                    + " bytes of text, fewer than " + LEAST_BYTES);
        }
    }

    private static void appendZip(Path zip, OutputStream out) throws IOException {
        try (var file = new ZipFile(zip.toFile())) {
            List<? extends ZipEntry> entries = file.stream()
                    .filter(entry -> !entry.isDirectory())
                    .sorted(Comparator.comparing(ZipEntry::getName))
                    .toList();
            for (ZipEntry entry : entries) {
                try (InputStream in = file.getInputStream(entry)) {
                    append(entry.getName(), in, out);
                }
            }
        }
    }

    private static void append(String name, InputStream in, OutputStream out) throws IOException {
        out.write(("==== " + name + "\n").getBytes(StandardCharsets.UTF_8));
        in.transferTo(out);
        out.write('\n');
    }
}
