// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.snapshot.AuditPosition;
import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * A shared list and its summary, of which another program computed every byte from {@code docs/formats/seal.md} and
 * {@code snapshot.md} alone.
 */
class GoldenSharedSealTest {

    private final RepositoryKey key = Keys.counted();
    private final JsonNode golden;

    GoldenSharedSealTest() throws IOException {
        golden = new ObjectMapper()
                .readTree(Path.of("..", "testvectors", "seal-shared.json").toFile());
    }

    private static byte[] hex(JsonNode node) {
        return HexFormat.of().parseHex(node.asText());
    }

    private static UUID uuid(JsonNode node) {
        ByteBuffer bytes = ByteBuffer.wrap(hex(node));
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    private PointerRun entry(JsonNode entry) throws IOException {
        byte[] plain = hex(entry.get("plain"));
        ChunkRef chunk = new ChunkRef(
                plain.length, new ChunkIdentity(key, DigestAlgorithm.SHA_256).ofData(ByteBuffer.wrap(plain)));
        if (entry.has("from")) {
            int from = entry.get("from").asInt();
            return new PointerRun(new Pointer(chunk, from, entry.get("length").asInt()), 1);
        }
        return new PointerRun(
                Pointer.to(chunk), entry.has("count") ? entry.get("count").asInt() : 1);
    }

    private List<PointerRun> entries(JsonNode page) throws IOException {
        List<PointerRun> entries = new ArrayList<>();
        for (JsonNode entry : page.get("entries")) {
            entries.add(entry(entry));
        }
        return entries;
    }

    private ListPage page(int which, int number) {
        JsonNode page = golden.get("pages").get(which);
        List<Fingerprint> references = new ArrayList<>();
        page.get("references").forEach(reference -> references.add(Fingerprint.parseHex(reference.asText())));
        return new ListPage(number, references, new SealedBytes(hex(page.get("sealed"))));
    }

    private SnapshotInfo snapshot() {
        return new SnapshotInfo(
                golden.get("id").asLong(),
                new SnapshotName(golden.get("name").asText()),
                Instant.EPOCH,
                golden.get("imageBytes").asLong(),
                golden.get("pointers").asLong(),
                SnapshotSeal.shared(key.id()),
                new SealedBytes(hex(golden.get("summary"))),
                Fingerprint.parseHex(golden.get("contentDigest").asText()));
    }

    @Test
    void aPageIsSealedToTheByteAndHasTheDocumentedDigest() throws IOException {
        SnapshotSealer sealer = SnapshotSealer.ofSharedList(key, new SnapshotName("other"), Keys.RANDOM);
        assertThat(golden.get("pages")).hasSize(2);
        for (int which = 0; which < 2; which++) {
            ListPage sealed = sealer.page(7, entries(golden.get("pages").get(which)));
            assertThat(sealed).isEqualTo(page(which, 7));
            assertThat(sealed.digest())
                    .hasToString(golden.get("pages").get(which).get("digest").asText());
        }
    }

    @Test
    void aPageOpensUnderAnyNumber() throws IOException {
        SnapshotOpener opener = new SnapshotOpener(key, snapshot());
        for (int number = 0; number < 3; number++) {
            int which = golden.get("list").get(number).asInt();
            assertThat(opener.entries(number, page(which, number)))
                    .isEqualTo(entries(golden.get("pages").get(which)));
        }
    }

    @Test
    void theContentDigestIsThatOfTheSealAndThePagesDigests() {
        ContentDigest digest = new ContentDigest(SnapshotSeal.shared(key.id()));
        for (int number = 0; number < 3; number++) {
            digest.add(page(golden.get("list").get(number).asInt(), number));
        }
        assertThat(digest.finish()).isEqualTo(snapshot().contentDigest());
    }

    @Test
    void theSummaryOpensIsSignedAndHasTheDocumentedDigest() throws IOException {
        ByteBuffer chain = ByteBuffer.wrap(hex(golden.get("auditChain")));
        AuditPosition audit = new AuditPosition(golden.get("auditOffset").asLong(), chain.getLong(), chain.getLong());
        UUID repository = uuid(golden.get("repository"));
        SnapshotInfo snapshot = snapshot();
        BodyReader params = new BodyReader(ByteBuffer.wrap(hex(golden.get("parameters"))), "seal-shared.json", 0);
        ChunkingParams cut = params.params();
        assertThat(new SnapshotOpener(key, snapshot).summary())
                .isEqualTo(new SnapshotSummary(
                        snapshot.imageBytes(),
                        snapshot.chunkCount(),
                        Instant.ofEpochMilli(golden.get("takenMs").asLong()),
                        cut,
                        Optional.of(new SnapshotPlace(
                                repository,
                                snapshot.id(),
                                golden.get("ordinal").asLong(),
                                Fingerprint.parseHex(golden.get("predecessor").asText()),
                                audit)),
                        new Remarks(
                                List.of(golden.get("tag").asText()),
                                Optional.of(golden.get("note").asText()),
                                List.of(),
                                Optional.empty())));
        assertThat(key.verificationKey().signed(repository, snapshot)).isTrue();
        assertThat(key.verificationKey().toLine())
                .isEqualTo(golden.get("verificationKey").asText());
        assertThat(SnapshotPlace.digest(snapshot))
                .hasToString(golden.get("snapshotDigest").asText());
    }
}
