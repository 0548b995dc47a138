// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.trial.TrialSettings;
import io.shredder.chunk.LongTests;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@link FrameTrial}, some frames; more with {@code -Dwire.frames=N}, or at full count with
 * {@code ./run trials --only frames}.
 */
class FrameIT {

    @TempDir
    private Path folder;

    @Test
    void badFramesAreAnsweredOrEndTheirConnectionWithAReasonAndTheAgentStaysAsItWas() throws Exception {
        TrialSettings settings = TrialSettings.ofTest(LongTests.count("wire.frames", 8_000, 40_000), 2, folder);
        TrialRun.of(new FrameTrial(), settings, System.out).orThrow(System.out);
    }
}
