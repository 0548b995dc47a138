// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.trial.TrialSettings;
import io.shredder.chunk.LongTests;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@link S3KillTrial}, some times; more with {@code -Dkill.rounds=N}, or at full count with
 * {@code ./run bars store --only kills}.
 */
@ExtendWith(OnS3Server.class)
class S3KillIT {

    @TempDir
    private Path folder;

    @Test
    void killingTheAgentAtAnyMomentLosesNothingAndTheNextOneGoesOn() throws Exception {
        TrialSettings settings = TrialSettings.ofTest(LongTests.count("kill.rounds", 5, 40), 1, folder);
        TrialRun.of(new S3KillTrial(), settings, System.out).orThrow(System.out);
    }
}
