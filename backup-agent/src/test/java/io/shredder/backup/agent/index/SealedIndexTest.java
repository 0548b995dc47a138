// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.container.ContainerPosition;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever of an index is encrypted, it keeps its entries: those that are measured beside each other are alike. */
class SealedIndexTest {

    private static final int ENTRIES = 100;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void entriesInRunsAndInTheLogAreThereAfterReopening(SealedIndex kind) throws IOException {
        try (FingerprintIndex index = kind.open(folder, 40, Runnable::run)) {
            for (int i = 0; i < ENTRIES; i++) {
                index.put(FingerprintIndexContract.fingerprint(i), FingerprintIndexContract.location(i));
                index.commit(new ContainerPosition(1, i));
            }
        }
        try (FingerprintIndex index = kind.open(folder, 40, Runnable::run)) {
            assertThat(index.size()).isEqualTo(ENTRIES);
            for (int i = 0; i < ENTRIES; i++) {
                assertThat(index.find(FingerprintIndexContract.fingerprint(i)))
                        .contains(FingerprintIndexContract.location(i));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void runsThatAreJoinedLeaveTheIndexAsItWas(SealedIndex kind) throws IOException {
        kind.create(folder);
        long tookNs = kind.joinNs(
                folder,
                2,
                ENTRIES,
                FingerprintIndexContract::fingerprint,
                number -> FingerprintIndexContract.location((int) number));
        assertThat(tookNs).isPositive();
        try (FingerprintIndex index = kind.open(folder, 40, Runnable::run)) {
            assertThat(index.size()).isZero();
        }
    }
}
