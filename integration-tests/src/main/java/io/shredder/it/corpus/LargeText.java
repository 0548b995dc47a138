// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/**
 * Up to 2 GB of real text, no file of it twice: {@link TextCorpus}, then the sources of Linux, GCC, binutils and glibc
 * as Debian packages them, each in the order of its archive, without files that are no text.
 */
public final class LargeText {
    /** The largest text that is made of them. */
    public static final long MOST_BYTES = 2_010_000_000;

    private static final List<String> PACKAGES =
            List.of("linux-source-6.1", "gcc-12-source", "binutils-source", "glibc-source");
    private static final String TEXT_OF_PACKAGE = "dpkg-deb --fsys-tarfile \"$1\""
            + " | tar -xO --wildcards './usr/src/*.tar.xz' | xz --decompress --stdout"
            + " | tar -xO --ignore-zeros"
            + " --exclude='*.gmo' --exclude='*.png' --exclude='*.a' --exclude='*.pdf' --exclude='*.ppm' --exclude='*.o'"
            + " --exclude='*.gz' --exclude='*.zip' --exclude='*.jar' --exclude='*.class' --exclude='*.bin'"
            + " | head --bytes=\"$2\" >>\"$3\"";

    private LargeText() {}

    /**
     * Returns the text's file in the cache folder, making it if it is not there.
     *
     * @param bytes its size, at most {@link #MOST_BYTES}; it ends with a whole line and may be some bytes shorter
     */
    public static Path in(Path cache, Path logs, Children children, long bytes)
            throws IOException, InterruptedException {
        if (bytes > MOST_BYTES) {
            throw new IOException("there are " + MOST_BYTES + " bytes of text, not " + bytes);
        }
        Path text = cache.resolve("large-text-" + bytes + ".txt");
        if (!Files.exists(text)) {
            Path partial = cache.resolve("large-text.partial");
            try (OutputStream out = Files.newOutputStream(partial)) {
                Files.copy(TextCorpus.in(cache, logs, children), out);
            }
            var packages = new DebianPackages(children, cache, logs);
            for (String name : PACKAGES) {
                if (Files.size(partial) < bytes) {
                    append(packages.alone("text-" + name, List.of(name)).get(0), partial, bytes, logs, children);
                }
            }
            cut(partial, bytes);
            Files.move(partial, text, StandardCopyOption.ATOMIC_MOVE);
        }
        return text;
    }

    private static void append(Path deb, Path text, long bytes, Path logs, Children children)
            throws IOException, InterruptedException {
        var words = List.of(
                "bash",
                "-c",
                TEXT_OF_PACKAGE,
                "text",
                deb.toString(),
                Long.toString(bytes - Files.size(text)),
                text.toString());
        children.run(new Command("text-of-package", words, Map.of(), logs, logs.resolve("text-of-package.log")));
    }

    /** Cuts the file behind the last line that ends within so many bytes. */
    private static void cut(Path text, long bytes) throws IOException {
        if (Files.size(text) < bytes) {
            throw new IOException("the packages " + PACKAGES + " hold only " + Files.size(text)
                    + " bytes of text, fewer" + " than " + bytes);
        }
        try (var file = FileChannel.open(text, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long window = Math.min(bytes, 1 << 20);
            var tail = file.map(FileChannel.MapMode.READ_ONLY, bytes - window, window);
            int end = tail.limit();
            while (end > 0 && tail.get(end - 1) != '\n') {
                end--;
            }
            file.truncate(bytes - window + end);
        }
    }
}
