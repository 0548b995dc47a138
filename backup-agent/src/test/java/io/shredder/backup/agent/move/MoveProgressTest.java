// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.storage.StoredFile;
import java.util.List;
import org.junit.jupiter.api.Test;

class MoveProgressTest {

    private static final long SECOND_NS = 1_000_000_000;

    @Test
    void onceAPeriodItSaysHowFarItIsAtWhichRateAndHowLongItTakes() {
        StoredFile file = new StoredFile("a", 30_000_000);
        MoveProgress progress = new MoveProgress(List.of(file, file, file, file), 5 * SECOND_NS, 60 * SECOND_NS);
        assertThat(progress.passed(file, 35 * SECOND_NS)).isEmpty();
        assertThat(progress.passed(file, 65 * SECOND_NS))
                .contains("moved 2 of 4 files, 60 of 120 MB, 1.0 MB/s, PT1M left");
        assertThat(progress.passed(file, 66 * SECOND_NS)).isEmpty();
    }
}
