// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import io.shredder.it.process.Children;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The disk of a Linux server and the same disk some time later, for measuring backups.
 *
 * <p>The first is an ext4 root file system. It has unpacked Debian packages and their archives, a database of a sixth
 * of the disk, a web server's logs, and exported texts. A third or more of the disk is free and was never written. In
 * the second about one block in twenty differs. Rows are overwritten in the database's pages where they lie, one log
 * went on and another was rotated, packages were installed. Lines are inserted into exported texts and into files of
 * packages, so all behind them moves.
 *
 * <p>All but the versions of Debian's packages follows from the size. The texts are real programs' sources. Needs
 * neither a mount nor more rights than a user's.
 */
public final class ServerDisk {
    /** The image before and after. */
    public record Versions(Path first, Path second) {}

    /** Bytes of the disk that the bars are for. */
    public static final long BYTES = 6400L << 20;

    /** Bytes of the smallest disk, which has less of everything. */
    public static final long LEAST_BYTES = 768L << 20;

    private ServerDisk() {}

    /**
     * Returns both images in a folder of the cache, making them if they are not there.
     *
     * @param bytes size of the disk, at least {@link #LEAST_BYTES}; only whole MiB are used
     */
    public static Versions in(Path cache, Path logs, Children children, long bytes)
            throws IOException, InterruptedException {
        if (bytes < LEAST_BYTES) {
            throw new IOException("a server's disk has at least " + LEAST_BYTES + " bytes, not " + bytes);
        }
        long wholeMib = bytes >> 20;
        Path folder = cache.toAbsolutePath().resolve("server-disk-" + wholeMib + "m");
        var versions = new Versions(folder.resolve("v1.img"), folder.resolve("v2.img"));
        if (!Files.exists(versions.second())) {
            Files.createDirectories(folder);
            Path tree = Files.createTempDirectory(folder, "tree");
            try {
                var content = new ServerContent(tree, cache, logs, children, wholeMib << 20);
                make(versions, content, logs, children, wholeMib << 20);
            } finally {
                Folders.delete(tree);
            }
        }
        return versions;
    }

    private static void make(Versions versions, ServerContent content, Path logs, Children children, long bytes)
            throws IOException, InterruptedException {
        content.writeFirst();
        Ext4Image first = Ext4Image.of(content.firstTree(), partial(versions.first()), bytes, logs, children);
        Ext4Image second = first.copyTo(partial(versions.second()));
        content.updateDatabase(second);
        second.change(content.writeChanges());
        second.check();
        Files.move(first.file(), versions.first(), StandardCopyOption.ATOMIC_MOVE);
        Files.move(second.file(), versions.second(), StandardCopyOption.ATOMIC_MOVE);
    }

    private static Path partial(Path file) {
        return Path.of(file + ".partial");
    }
}
