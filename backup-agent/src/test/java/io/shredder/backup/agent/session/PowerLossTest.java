// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.trial.TrialSettings;
import io.shredder.chunk.LongTests;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@link PowerLossTrial} after some of the changes of some lives; after each with
 * {@code -Dpower.loss.stride=1 -Dpower.losses=N}, or {@code ./run trials --only lost-writes}.
 */
class PowerLossTest {

    @TempDir
    private Path folder;

    @Test
    void powerLostAtAnyWriteLosesNothingThatWasPromised() throws Exception {
        TrialSettings settings = TrialSettings.ofTest(LongTests.count("power.losses", 40, 100), 1, folder);
        PowerLossTrial trial = new PowerLossTrial(Integer.getInteger("power.loss.stride", 13));
        TrialRun.of(trial, settings, System.out).orThrow(System.out);
    }
}
