// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.kill;

import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.trial.TrialSettings;
import io.shredder.chunk.InTurn;
import io.shredder.chunk.LongTests;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link KeeperKillTrial}, some times; at full count with {@code ./run trials --only keeper-kills-4-2}. */
class KeeperKillIT {

    @TempDir
    private Path folder;

    @Test
    @InTurn(days = 3)
    void killingTheAgentAndItsKeepersAtAnyMomentLosesNothing() throws Exception {
        TrialSettings settings = TrialSettings.ofTest(LongTests.count("kill.rounds", 4, 40), 1, folder);
        TrialRun.of(new KeeperKillTrial(2, 1), settings, System.out).orThrow(System.out);
    }
}
