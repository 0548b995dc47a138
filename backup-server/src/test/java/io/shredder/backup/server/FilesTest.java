// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.seal.Keys;
import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.trial.TrialSettings;
import io.shredder.chunk.LongTests;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@link FilesTrial}, some times; more with {@code -Dfiles.tampered=N}, or at full count with
 * {@code ./run trials --only files}.
 */
class FilesTest {

    @TempDir
    private Path folder;

    /** Each lie a few times. */
    @Test
    void noLieOfAnAgentIsTakenForTheTruth() throws Exception {
        try (RepositoryLife life = RepositoryLife.live(folder.resolve("life"), Keys.counted(), new Random(1));
                RepositoryLife foreign =
                        RepositoryLife.live(folder.resolve("foreign"), Keys.counted(), new Random(2))) {
            for (LyingAgent.Lie lie : LyingAgent.Lie.values()) {
                for (int seed = 0; seed < 2; seed++) {
                    String said = new LyingAgent(folder, life, foreign.last().files(), new Random(seed)).judge(lie);
                    assertThat(said).as(lie.name()).isNotEmpty();
                }
            }
        }
    }

    @Test
    void whateverIsDoneToFilesOrAnsweredInsteadIsNamedBeforeAnythingIsFreedOrRestoredWrongly() throws Exception {
        TrialSettings settings = TrialSettings.ofTest(LongTests.count("files.tampered", 20, 80), 2, folder);
        TrialRun.of(new FilesTrial(), settings, System.out).orThrow(System.out);
    }
}
