// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.ListPage;
import io.shredder.backup.protocol.SealedBytes;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.protocol.SnapshotSeal;
import io.shredder.backup.protocol.WireFormat;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SnapshotSealTest {

    private static final SnapshotName NAME = new SnapshotName("vm");
    private static final Instant TAKEN = Instant.ofEpochMilli(1_763_692_800_123L);
    private static final Fingerprint DIGEST = Fingerprint.ofData(ByteBuffer.allocate(1));

    private static final Remarks REMARKS = new Remarks(
            List.of("weekly"), Optional.of("before the upgrade"), List.of(new SkippedRange(0, 4096)), Optional.empty());

    private final RepositoryKey key = RepositoryKey.generate(Keys.RANDOM);
    private final List<Pointer> pointers = pointers(WireFormat.PAGE_POINTERS + 100);
    private final List<ListPage> pages = new ArrayList<>();
    private final SnapshotInfo info = seal();

    /** Some of them several times, as images have it. */
    private static List<Pointer> pointers(int count) {
        Random random = Keys.seeded();
        List<Pointer> pointers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int which = random.nextInt(count);
            Fingerprint identity =
                    Fingerprint.ofData(ByteBuffer.allocate(4).putInt(which).flip());
            Pointer whole = Pointer.to(new ChunkRef(1 + which, identity));
            boolean part = which > 0 && random.nextInt(4) == 0;
            int from = part ? random.nextInt(which) : 0;
            pointers.add(part ? whole.part(from, 1 + random.nextInt(which - from)) : whole);
        }
        return pointers;
    }

    private long imageBytes() {
        return Pointer.bytes(pointers);
    }

    private SnapshotInfo seal() {
        SnapshotSealer sealer = new SnapshotSealer(key, NAME, Keys.RANDOM);
        pages.add(sealer.page(pointers.subList(0, WireFormat.PAGE_POINTERS)));
        pages.add(sealer.page(pointers.subList(WireFormat.PAGE_POINTERS, pointers.size())));
        SealedBytes summary = sealer.summary(
                new SnapshotSummary(imageBytes(), pointers.size(), TAKEN, ChunkingParams.ofAverage(4096), REMARKS));
        return info(NAME, imageBytes(), pointers.size(), sealer.seal(), summary);
    }

    private static SnapshotInfo info(
            SnapshotName name, long imageBytes, long chunkCount, SnapshotSeal seal, SealedBytes summary) {
        return new SnapshotInfo(3, name, TAKEN, imageBytes, chunkCount, seal, summary, DIGEST);
    }

    private void assertForged(SnapshotInfo forged, String problem) {
        assertThatThrownBy(() -> new SnapshotOpener(key, forged).summary())
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("snapshot " + forged.name() + "@3: ")
                .hasMessageContaining(problem);
    }

    private void assertForged(int number, ListPage forged) {
        assertThatThrownBy(() -> new SnapshotOpener(key, info).pointers(number, forged))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the seal of page " + number + " of its list is broken");
    }

    @Test
    void theListComesBackInTheOrderOfTheImage() throws IOException {
        SnapshotOpener opener = new SnapshotOpener(key, info);
        List<Pointer> opened = new ArrayList<>();
        for (ListPage page : pages) {
            opened.addAll(opener.pointers(page.number(), page));
        }
        assertThat(opened).isEqualTo(pointers);
        assertThat(opener.summary())
                .isEqualTo(new SnapshotSummary(
                        imageBytes(), pointers.size(), TAKEN, ChunkingParams.ofAverage(4096), REMARKS));
    }

    @Test
    void anAgentSeesWhichChunksAPageNeedsButNotTheirOrder() {
        ListPage page = pages.get(1);
        List<Fingerprint> inOrder = pointers.subList(WireFormat.PAGE_POINTERS, pointers.size()).stream()
                .map(Pointer::fingerprint)
                .toList();
        assertThat(page.references()).isSorted().doesNotHaveDuplicates().hasSameElementsAs(inOrder);
        assertThat(page.references()).isNotEqualTo(inOrder);
    }

    @Test
    void aPageElsewhereOrOfAnotherSnapshotIsFound() {
        assertForged(0, pages.get(1));
        assertForged(1, pages.get(0));
        List<ListPage> own = List.copyOf(pages);
        pages.clear();
        SnapshotInfo other = seal();
        assertThat(other.seal().salt()).isNotEqualTo(info.seal().salt());
        assertForged(0, pages.get(0));
        assertThat(own).hasSize(2);
    }

    @Test
    void aReferenceOrPointerThatWasChangedIsFound() {
        ListPage page = pages.get(1);
        List<Fingerprint> references = new ArrayList<>(page.references());
        references.remove(7);
        assertForged(1, new ListPage(1, references, page.sealed()));
        byte[] sealed = new byte[page.sealed().length()];
        page.sealed().view().get(sealed);
        for (int at = 0; at < sealed.length; at++) {
            sealed[at] ^= 0x40;
            assertForged(1, new ListPage(1, page.references(), new SealedBytes(sealed.clone())));
            sealed[at] ^= 0x40;
        }
    }

    @Test
    void aSnapshotUnderAnotherNameOrWithOtherLengthsIsFound() {
        SnapshotSeal seal = info.seal();
        SealedBytes summary = info.summary();
        assertForged(
                info(new SnapshotName("other"), info.imageBytes(), info.chunkCount(), seal, summary), "seal is broken");
        assertForged(info(NAME, info.imageBytes() - 1, info.chunkCount(), seal, summary), "the agent says it has");
        assertForged(info(NAME, info.imageBytes(), 4096, seal, summary), "the agent says it has");
        assertForged(
                info(NAME, info.imageBytes(), info.chunkCount(), seal, new SealedBytes(new byte[0])), "seal is broken");
    }

    @Test
    void anotherKeyIsNamedAsSuch() {
        RepositoryKey other = RepositoryKey.generate(Keys.RANDOM);
        assertThatThrownBy(() -> new SnapshotOpener(other, info))
                .isInstanceOf(WrongKeyException.class)
                .hasMessage("snapshot vm@3 is sealed with key " + key.id() + ", not with key " + other.id()
                        + ": name the file of the other key with --repository-key");
    }
}
