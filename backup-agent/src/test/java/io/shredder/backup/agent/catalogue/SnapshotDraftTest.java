// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.protocol.SealedBytes;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.protocol.StoredRegion;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotDraftTest {

    @TempDir
    private Path folder;

    /** A collection may come between the end of the file and its place in the catalogue. */
    @Test
    void aDraftThatIsSealedAndNotYetPublishedIsVisitedAsBefore() throws IOException {
        List<StoredRegion> regions = Samples.chunks(new Random(1), 3, 100);
        SnapshotName name = new SnapshotName("vm");
        try (SnapshotDraft draft = new SnapshotDraft(folder.resolve("draft"), name, name, Samples.SEAL)) {
            for (int page = 0; page < regions.size(); page++) {
                draft.append(Samples.pageOf(page, List.of(regions.get(page))));
            }
            List<Fingerprint> before = visited(draft);
            draft.seal(
                    1,
                    Instant.EPOCH,
                    new SnapshotDraft.Contents(1000, 3, draft.finishDigest(), new SealedBytes(new byte[9])));
            assertThat(visited(draft)).isEqualTo(before).hasSize(3);
        }
    }

    private static List<Fingerprint> visited(SnapshotDraft draft) throws IOException {
        List<Fingerprint> chunks = new ArrayList<>();
        draft.visit(chunks::addAll);
        return chunks;
    }
}
