// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LocalStorageTest extends StorageContract {

    @Override
    protected Storage openEmpty(Path folder) throws IOException {
        return new LocalStorage(Files.createDirectories(folder.resolve("repository")));
    }

    @Test
    void whatAnEarlierAttemptLeftIsMadeAgain() throws IOException {
        Path root = Files.createDirectories(folder.resolve("again"));
        try (Storage storage = new LocalStorage(root)) {
            storage.create("a/b", ByteBuffer.allocate(100)).close();
            storage.create("a/b", ByteBuffer.allocate(7)).close();
            assertThat(storage.size("a/b")).isEqualTo(7);
        }
    }
}
