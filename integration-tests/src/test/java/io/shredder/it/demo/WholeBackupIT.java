// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Condition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo's steps with images, on small ones: agent and commands are processes of their own. */
class WholeBackupIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    @Test
    void imagesAreBackedUpAndRestoredThroughTwoProcesses() throws Exception {
        Path image = folder.resolve("disk-1");
        Path changed = folder.resolve("disk-2");
        var random = new Random(11);
        byte[] bytes = new byte[8 << 20];
        random.nextBytes(bytes);
        Files.write(image, bytes);
        random.nextBytes(new byte[64]);
        System.arraycopy(new byte[100_000], 0, bytes, 3_000_000, 100_000);
        Files.write(changed, bytes);

        try (var children = new Children()) {
            var steps = new ImageSteps(
                    new Steps(System.out),
                    new Programs(ROOT, folder.resolve("logs"), children, Map.of()),
                    folders(),
                    List.of(image, changed));
            Files.createDirectories(folders().work());
            Child agent = steps.startAgent();
            Condition.await("the agent", LIMIT, List.of(agent), steps::agentServes);

            List<DemoReport.Backup> backups = steps.backUp();
            assertThat(backups.get(0).percentSent()).isGreaterThan(99);
            assertThat(backups.get(1).percentSent()).isLessThan(15);
            assertThat(steps.restore()).hasSize(2).allMatch(DemoReport.Restore::identical);
            assertThat(steps.verify()).isTrue();
        }
    }

    private DemoFolders folders() {
        return new DemoFolders(ROOT, folder.resolve("cache"), folder.resolve("out"), false);
    }
}
