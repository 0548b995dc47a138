// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.snapshot.AuditPosition;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotSealTest {

    private static final SnapshotName NAME = new SnapshotName("vm");
    private static final Instant TAKEN = Instant.ofEpochMilli(1_763_692_800_123L);
    private static final Fingerprint DIGEST = Fingerprint.ofData(ByteBuffer.allocate(1));

    private static final Remarks REMARKS = new Remarks(
            List.of("weekly"), Optional.of("before the upgrade"), List.of(new SkippedRange(0, 4096)), Optional.empty());

    private static final SnapshotPlace PLACE = new SnapshotPlace(
            new UUID(5, 6), 3, 2, Fingerprint.ofData(ByteBuffer.allocate(2)), new AuditPosition(900, 7, 8));

    private final RepositoryKey key = RepositoryKey.generate(Keys.RANDOM);
    private final List<Pointer> pointers = pointers(ListPage.MAX_POINTERS + 100);
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

    private static List<PointerRun> entries(List<Pointer> pointers) {
        return pointers.stream().map(pointer -> new PointerRun(pointer, 1)).toList();
    }

    private SnapshotInfo seal() {
        SnapshotSealer sealer = SnapshotSealer.ofPrivateList(key, NAME, Keys.RANDOM);
        pages.add(sealer.page(0, entries(pointers.subList(0, ListPage.MAX_POINTERS))));
        pages.add(sealer.page(1, entries(pointers.subList(ListPage.MAX_POINTERS, pointers.size()))));
        SealedBytes summary = sealer.summaries().seal(summary(), DIGEST);
        return info(NAME, imageBytes(), pointers.size(), sealer.seal(), summary);
    }

    private SnapshotSummary summary() {
        return new SnapshotSummary(
                imageBytes(), pointers.size(), TAKEN, ChunkingParams.ofAverage(4096), Optional.of(PLACE), REMARKS);
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
        assertThatThrownBy(() -> new SnapshotOpener(key, info).entries(number, forged))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the seal of page " + number + " of its list is broken");
    }

    @Test
    void theListComesBackInTheOrderOfTheImage() throws IOException {
        SnapshotOpener opener = new SnapshotOpener(key, info);
        List<Pointer> opened = new ArrayList<>();
        for (ListPage page : pages) {
            opener.entries(page.number(), page).forEach(entry -> opened.add(entry.pointer()));
        }
        assertThat(opened).isEqualTo(pointers);
        assertThat(opener.summary()).isEqualTo(summary());
    }

    @Test
    void anAgentSeesWhichChunksAPageNeedsButNotTheirOrder() {
        ListPage page = pages.get(1);
        List<Fingerprint> inOrder = pointers.subList(ListPage.MAX_POINTERS, pointers.size()).stream()
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
    void whoeverHasTheVerificationKeyCanTellASnapshotAndItsPlace() {
        VerificationKey verifier = key.verificationKey();
        assertThat(verifier.signed(PLACE.home(), info)).isTrue();
        assertThat(verifier.signed(new UUID(5, 7), info)).isFalse();
        assertThat(RepositoryKey.generate(Keys.RANDOM).verificationKey().signed(PLACE.home(), info))
                .isFalse();
        SnapshotSeal seal = info.seal();
        for (SnapshotInfo other : List.of(
                new SnapshotInfo(4, NAME, TAKEN, imageBytes(), pointers.size(), seal, info.summary(), DIGEST),
                new SnapshotInfo(3, NAME, TAKEN, 1, pointers.size(), seal, info.summary(), DIGEST),
                new SnapshotInfo(
                        3, NAME, TAKEN, imageBytes(), pointers.size(), seal, info.summary(), PLACE.predecessor()),
                info(new SnapshotName("other"), imageBytes(), pointers.size(), seal, info.summary()))) {
            assertThat(verifier.signed(PLACE.home(), other)).isFalse();
        }
        byte[] summary = new byte[info.summary().length()];
        info.summary().view().get(summary);
        for (int at = 0; at < summary.length; at++) {
            summary[at] ^= 4;
            SnapshotInfo forged = info(NAME, imageBytes(), pointers.size(), seal, new SealedBytes(summary.clone()));
            assertThat(verifier.signed(PLACE.home(), forged)).as("byte %d", at).isFalse();
            summary[at] ^= 4;
        }
    }

    @Test
    void theVerificationKeysFileIsReadBackAndItsDamageRefused(@TempDir Path folder) throws IOException {
        Path file =
                Files.writeString(folder.resolve("key"), key.verificationKey().toLine() + "\n");
        assertThat(VerificationKey.read(file).signed(PLACE.home(), info)).isTrue();
        String line = Files.readString(file);
        for (int at = 0; at < line.length() - 1; at++) {
            String damaged = line.substring(0, at) + (char) (line.charAt(at) ^ 1) + line.substring(at + 1);
            Files.writeString(file, damaged);
            assertThatThrownBy(() -> VerificationKey.read(file))
                    .as("character %d", at)
                    .hasMessageContaining("key");
        }
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
