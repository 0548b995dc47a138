// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WriteTrialTest {

    private final WriteTrial trial = new WriteTrial(1000);

    @Test
    void eachWayIsTriedWithItsShareTheDirectOneFirst() {
        assertThat(trial.isDirectNext()).isTrue();
        trial.took(true, 999, 1);
        assertThat(trial.isDirectNext()).isTrue();
        trial.took(true, 1, 1);
        assertThat(trial.isDirectNext()).isFalse();
        trial.took(false, 999, 1);
        assertThat(trial.isDirectNext()).isFalse();
    }

    @Test
    void theWayThatTookLessForAByteWritesTheRest() {
        trial.took(true, 1000, 500);
        trial.took(false, 4000, 1000);
        assertThat(trial.isDirectNext()).isFalse();
        trial.took(false, 1, 1_000_000); // A late writer of the trial, or one that the disk's limits hold up.
        assertThat(trial.isDirectNext()).isFalse();
    }

    @Test
    void waitingForTheDiskIsBetterThanCopyingForAsLong() {
        trial.took(true, 1000, 500);
        trial.took(false, 1000, 500);
        assertThat(trial.isDirectNext()).isTrue();
    }

    @Test
    void aSlowWriteDecidesNothing() {
        trial.took(true, 1000, 500);
        trial.took(false, 400, 100_000);
        trial.took(false, 600, 100);
        assertThat(trial.isDirectNext()).isFalse();
    }

    @Test
    void manySmallWritesDecideNothingEither() {
        trial.took(true, 1000, 500);
        for (int i = 0; i < 40; i++) {
            trial.took(false, 10, 1000);
        }
        trial.took(false, 600, 100);
        assertThat(trial.isDirectNext()).isFalse();
    }
}
