// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.store.Repository;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./run trials --only index-100m} asks for is there. */
class LargeIndexTest {

    private static final int ENTRIES = 3000;

    @TempDir
    private Path folder;

    @Test
    void everyEntryIsFoundAndNothingBesideThem() throws IOException {
        Path repository = folder.resolve("repository");
        Repository.open(repository, Clock.systemUTC()).close();
        LargeIndex.fill(repository, ENTRIES);
        try (FingerprintIndex index = LargeIndex.open(repository)) {
            assertThat(index.size()).isEqualTo(ENTRIES);
            for (int i = 0; i < ENTRIES; i++) {
                assertThat(index.find(LargeIndex.key(i, ENTRIES))).isPresent();
                assertThat(index.find(LargeIndex.absent(i, ENTRIES))).isEmpty();
            }
        }
    }
}
