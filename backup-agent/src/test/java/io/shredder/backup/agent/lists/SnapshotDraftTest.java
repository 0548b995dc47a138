// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.storage.LocalStorage;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotDraftTest {

    @TempDir
    private Path folder;

    /** A collection may come between the end of the file and its place in the catalogue. */
    @Test
    void aDraftThatIsSealedAndNotYetPublishedIsVisitedAsBefore() throws Exception {
        assertVisitedAsBefore(false);
        assertVisitedAsBefore(true);
    }

    private void assertVisitedAsBefore(boolean shared) throws Exception {
        List<StoredRegion> regions = Samples.chunks(new Random(1), 3, 100);
        SnapshotName name = new SnapshotName("vm");
        try (SnapshotDraft draft = draft(name, shared)) {
            for (int page = 0; page < regions.size(); page++) {
                draft.append(Samples.pageOf(page, List.of(regions.get(page))), 0);
            }
            List<Fingerprint> before = visited(draft);
            draft.seal(
                    1,
                    Instant.EPOCH,
                    new SnapshotDraft.Contents(1000, 3, draft.finishDigest(), new SealedBytes(new byte[9])));
            assertThat(visited(draft)).isEqualTo(before).hasSize(3);
        }
    }

    private SnapshotDraft draft(SnapshotName name, boolean shared) throws IOException {
        SnapshotFormat.Head head = new SnapshotFormat.Head(name, name, shared ? Samples.SHARED : Samples.SEAL);
        PagePacks packs = new PagePacks(new LocalStorage(folder), new UUID(1, 2));
        return shared
                ? new SharedDraft(folder.resolve("draft"), folder.resolve("pages"), head, packs)
                : new PrivateDraft(folder.resolve("draft"), head);
    }

    @Test
    void aDraftThatIsClosedSaysThatItHasEnded() throws IOException {
        for (boolean shared : new boolean[] {false, true}) {
            StoredRegion region = Samples.sealed(new byte[9]);
            SnapshotDraft draft = draft(new SnapshotName("vm"), shared);
            draft.append(Samples.pageOf(0, List.of(region)), 0);
            draft.close();
            assertThatThrownBy(() -> visited(draft)).isInstanceOf(DraftEndedException.class);
        }
    }

    private static List<Fingerprint> visited(SnapshotDraft draft) throws IOException, DraftEndedException {
        List<Fingerprint> chunks = new ArrayList<>();
        draft.visit(chunks::addAll, new SeenPages());
        return chunks;
    }
}
