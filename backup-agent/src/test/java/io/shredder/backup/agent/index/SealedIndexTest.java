// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.container.ContainerPosition;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever of an index is encrypted, it keeps its entries: those that are measured beside each other are alike. */
class SealedIndexTest {

    private static final int ENTRIES = 100;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource("io.shredder.backup.agent.index.SealedIndex#all")
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
    @MethodSource("io.shredder.backup.agent.index.SealedIndex#all")
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

    @Test
    void sealedInBulkItIsTheSame() throws IOException {
        BulkSealing.prove(CpuInBulk::new);
        try (FingerprintIndex index =
                BulkSealing.index(CpuInBulk::new, true, true).open(folder, 40, Runnable::run)) {
            for (int i = 0; i < ENTRIES; i++) {
                index.put(FingerprintIndexContract.fingerprint(i), FingerprintIndexContract.location(i));
            }
            index.commit(new ContainerPosition(1, 1));
        }
        try (FingerprintIndex index = SealedIndex.ALL.open(folder, 40, Runnable::run)) {
            assertThat(index.size()).isEqualTo(ENTRIES);
            assertThat(index.find(FingerprintIndexContract.fingerprint(7)))
                    .contains(FingerprintIndexContract.location(7));
        }
    }

    /** Message by message, by the CPU's cipher. */
    private record CpuInBulk(Sealing one) implements BulkCipher {
        private CpuInBulk(byte[] key) {
            this(Sealing.Kind.AES_256_GCM.with(key));
        }

        @Override
        public void seal(Messages messages, byte[] plain, int plainAt, byte[] sealed, int sealedAt) {
            for (int i = 0; i < messages.count(); i++) {
                int length = messages.length();
                Sealing.Piece piece = new Sealing.Piece(plain, plainAt + i * length, length);
                int to = sealedAt + i * (length + Sealing.TAG_BYTES);
                one.seal(messages.sequence() + i, messages.part(), messages.clear(), piece, sealed, to);
            }
        }

        @Override
        public int open(Messages messages, byte[] sealed, int sealedAt, byte[] plain, int plainAt) {
            for (int i = 0; i < messages.count(); i++) {
                int length = messages.length() + Sealing.TAG_BYTES;
                Sealing.Piece piece = new Sealing.Piece(sealed, sealedAt + i * length, length);
                int to = plainAt + i * messages.length();
                if (!one.open(messages.sequence() + i, messages.part(), messages.clear(), piece, plain, to)) {
                    return i;
                }
            }
            return messages.count();
        }
    }
}
