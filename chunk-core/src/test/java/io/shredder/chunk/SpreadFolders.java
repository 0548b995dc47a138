// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Tests' temporary folders, spread over the disk. Usually ext4 keeps them in one group of inodes, and looks for each
 * new file past all that were deleted there within five seconds, which was a third of what the kernel did for the
 * agent's tests. Where a folder has the attribute {@code T}, those in it get groups of their own; other file systems
 * do without.
 */
public final class SpreadFolders implements TempDirFactory {

    /** Names are short, since a socket's has 107 bytes at most. */
    private static final Path ALL = made();

    private static Path made() {
        try {
            Path all = Files.createTempDirectory("t");
            all.toFile().deleteOnExit();
            spread(all);
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void spread(Path folder) throws InterruptedException {
        try {
            new ProcessBuilder("chattr", "+T", folder.toString())
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return; // There is no such program: tests take longer.
        }
    }

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        return Files.createTempDirectory(ALL, "t");
    }
}
