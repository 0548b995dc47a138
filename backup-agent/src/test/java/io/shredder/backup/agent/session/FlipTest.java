// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.trial.TrialSettings;
import io.shredder.chunk.LongTests;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@link FlipTrial}, some times; more with {@code -Drepository.flips=N}, or at full count with
 * {@code ./run trials --only flips}.
 */
class FlipTest {

    @TempDir
    private Path folder;

    @Test
    void everyFlippedBitOfARepositoryIsRefusedOrFoundByVerify() throws Exception {
        TrialSettings settings = TrialSettings.ofTest(LongTests.count("repository.flips", 300, 1000), 2, folder);
        TrialRun.of(new FlipTrial(), settings, System.out).orThrow(System.out);
    }
}
