// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.wire.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerifyRunTest {

    @Test
    void aVerificationKnowsAboutHowMuchIsLeftFromTheChunksThatThereAre() {
        VerifyRun.Progress progress = new VerifyRun.Progress(100);
        assertThat(progress.estimatedBytes()).isZero();
        progress.add(new Answer.Verified(1, 20, 600, List.of()));
        progress.add(new Answer.Verified(2, 5, 150, List.of()));
        assertThat(progress.doneBytes()).isEqualTo(750);
        assertThat(progress.estimatedBytes()).isEqualTo(3000);
        progress.add(new Answer.Verified(0, 100, 3000, List.of()));
        assertThat(progress.estimatedBytes()).as("more than expected").isEqualTo(3750);
        VerifyRun.Progress unknown = new VerifyRun.Progress(0);
        unknown.add(new Answer.Verified(0, 100, 3000, List.of()));
        assertThat(unknown.estimatedBytes()).isZero();
    }
}
