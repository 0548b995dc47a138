// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.trial.TrialSettings;
import io.shredder.chunk.LongTests;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@link KillTrial}, some times; more with {@code -Dkill.rounds=N}, or at full count with
 * {@code ./run trials --only kills}.
 */
class KillIT {

    private static final int WORKERS = 2;

    @TempDir
    private Path folder;

    @Test
    void killingEitherSideAtAnyMomentLosesNothingAndTheNextBackupSucceeds() throws Exception {
        TrialSettings settings = TrialSettings.ofTest(LongTests.count("kill.rounds", 6, 14), WORKERS, folder);
        try (ThreadOutput output = ThreadOutput.install()) {
            TrialRun.of(KillTrial.ofProcesses(), settings, output.real()).orThrow(output.real());
        }
    }
}
