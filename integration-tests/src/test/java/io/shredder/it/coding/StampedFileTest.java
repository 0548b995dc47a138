// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StampedFileTest {
    private static final int PIECE = StampedFile.PIECE_BYTES;

    @TempDir
    Path folder;

    @Test
    void anyDifferenceIsSeen() throws Exception {
        Path path = folder.resolve("file");
        var file = new StampedFile(new org.apache.hadoop.fs.Path(path.toUri()), 200L * PIECE);
        try (LocalFileSystem local = FileSystem.newInstanceLocal(new Configuration())) {
            FileSystem fs = local.getRawFileSystem();
            file.write(fs);
            assertThat(path).hasSize(file.length());
            file.check(fs);
            byte[] right = Files.readAllBytes(path);

            byte[] wrong = right.clone();
            wrong[150 * PIECE + 77]++;
            Files.write(path, wrong);
            assertThatThrownBy(() -> file.check(fs)).hasMessageEndingWith("written, from " + 150 * PIECE);

            // The piece of the same random bytes, from another place.
            wrong = right.clone();
            System.arraycopy(right, 0, wrong, 97 * PIECE, PIECE);
            Files.write(path, wrong);
            assertThatThrownBy(() -> file.check(fs)).hasMessageEndingWith("written, from " + 97 * PIECE);

            Files.write(path, Arrays.copyOf(right, right.length + 1));
            assertThatThrownBy(() -> file.check(fs)).hasMessageContaining("longer");
            Files.write(path, Arrays.copyOf(right, right.length - 1));
            assertThatThrownBy(() -> file.check(fs)).isInstanceOf(IOException.class);
        }
    }
}
