// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexKeyTest {

    private static final HexFormat HEX = HexFormat.of();

    @TempDir
    private Path folder;

    @Test
    void everyPurposeSaltNumberAndRepositoryHasAKeyOfItsOwn() {
        IndexKey key = LogStructuredIndexTest.KEY;
        byte[] salt = new byte[32];
        byte[] other = new byte[32];
        other[0] = 1;
        UUID repository = new UUID(1, 2);
        assertThat(java.util.stream.Stream.of(
                                key.fileKey(salt, "log", repository, 1),
                                key.fileKey(salt, "run", repository, 1),
                                key.fileKey(salt, "run", repository, 2),
                                key.fileKey(other, "run", repository, 1),
                                key.fileKey(salt, "run", new UUID(1, 3), 1))
                        .map(HEX::formatHex))
                .doesNotHaveDuplicates();
    }

    @Test
    void aKeyHasThirtyTwoBytes() {
        assertThatIllegalArgumentException().isThrownBy(() -> IndexKey.of(new byte[31]));
    }

    @Test
    void aKeyFileIsItsOwnersAloneAndReadsBack() throws IOException {
        Path file = folder.resolve("key");
        IndexKey key = IndexKeyFile.create(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(IndexKeyFile.read(file).secret()).isEqualTo(key.secret());
        assertThat(folder.toFile().list()).containsExactly("key");
    }

    @Test
    void aKeyFileThatOthersMayReadIsRefused() throws IOException {
        Path file = folder.resolve("key");
        IndexKeyFile.create(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> IndexKeyFile.read(file)).hasMessageContaining("chmod 600 " + file);
    }

    @Test
    void aFileWithoutAKeyIsRefused() throws IOException {
        Path file = folder.resolve("key");
        for (String text :
                new String[] {"", "x", "shredder-index-key-1 00\n", "shredder-index-key-2 " + "0".repeat(64)}) {
            Files.writeString(file, text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            assertThatThrownBy(() -> IndexKeyFile.read(file)).hasMessageContaining("holds no index key");
        }
    }
}
