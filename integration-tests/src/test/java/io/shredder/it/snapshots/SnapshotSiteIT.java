// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.it.process.Children;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The snapshots that the bars are measured on are genuine to every command. */
class SnapshotSiteIT {

    @TempDir
    private Path folder;

    @Test
    void snapshotsThatWereMadeInThisProcessAreGenuineToThePrograms() throws IOException, InterruptedException {
        Path root = Path.of("").toAbsolutePath().getParent();
        Path state = folder.resolve("state");
        try (Children children = new Children();
                SnapshotSite site = new SnapshotSite(root, folder.resolve("site"), children)) {
            site.fill(3, 4, (done, all) -> {});
            site.startAgent("-Xmx512m");
            assertThat(site.client("list").lines()).hasSize(12);
            site.restore(SnapshotSite.series(0), state);
            site.restore(SnapshotSite.series(2), state);
            site.backup(SnapshotSite.series(1), state);
            assertThat(site.client("list", SnapshotSite.series(1)).lines()).hasSize(5);
            SnapshotSite.Run pruned =
                    site.client("prune", "--keep-daily", 3, "--verification-key", site.verificationKey());
            assertThat(pruned.lines())
                    .noneMatch(line -> line.startsWith("apart"))
                    .last()
                    .isEqualTo("deleted 4 snapshots");
            assertThat(site.client("verify").lines()).last().asString().contains("all good");
            site.restore(SnapshotSite.series(1), state);
        }
    }
}
