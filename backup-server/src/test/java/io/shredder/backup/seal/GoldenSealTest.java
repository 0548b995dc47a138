// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.region.ChunkCodec;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What another program computed from {@code docs/formats/seal.md} alone. */
class GoldenSealTest {

    private final RepositoryKey key = Keys.counted();
    private final JsonNode golden;

    GoldenSealTest() throws IOException {
        golden = vectors("seal.json");
    }

    private static JsonNode vectors(String file) throws IOException {
        return new ObjectMapper().readTree(Path.of("..", "testvectors", file).toFile());
    }

    private static byte[] hex(JsonNode node) {
        return HexFormat.of().parseHex(node.asText());
    }

    private ChunkRef ref(JsonNode plain) throws IOException {
        byte[] bytes = hex(plain);
        return new ChunkRef(
                bytes.length, new ChunkIdentity(key, DigestAlgorithm.SHA_256).ofData(ByteBuffer.wrap(bytes)));
    }

    @Test
    void theKeysIdAndAChunksIdentityAreAsDocumented() throws IOException {
        assertThat(key.id()).hasToString(golden.get("keyId").asText());
        assertThat(ref(golden.get("chunk").get("plain")).fingerprint())
                .hasToString(golden.get("chunk").get("identity").asText());
    }

    @Test
    void theIdentityByBlake3IsAsDocumented() throws IOException {
        ChunkIdentity identities = new ChunkIdentity(key, DigestAlgorithm.BLAKE3);
        JsonNode chunks = vectors("seal-blake3.json").get("chunks");
        assertThat(chunks).hasSizeGreaterThan(4);
        for (JsonNode chunk : chunks) {
            byte[] plain = new byte[chunk.get("length").asInt()];
            for (int i = 0; i < plain.length; i++) {
                plain[i] = (byte) (i % 251);
            }
            assertThat(identities.ofData(ByteBuffer.wrap(plain)))
                    .hasToString(chunk.get("identity").asText());
        }
    }

    @Test
    void theStoredChunkOpens() throws Exception {
        byte[] stored = hex(golden.get("chunk").get("stored"));
        StoredRegion chunk = new StoredRegion(
                ref(golden.get("chunk").get("plain")),
                ChunkCodec.SEALED,
                Fingerprint.ofData(ByteBuffer.wrap(stored)),
                new StoredRegion.Payload(stored));
        try (RegionOpener opener = new JavaRegionOpener(key)) {
            assertThat(Keys.opened(opener, chunk))
                    .isEqualTo(hex(golden.get("chunk").get("plain")));
        }
    }

    @Test
    void theStoredRegionOpens() throws Exception {
        JsonNode golden = vectors("seal-region.json");
        List<ChunkRef> chunks = new ArrayList<>();
        ByteBuffer plain = ByteBuffer.allocate(1 << 20);
        for (JsonNode each : golden.get("plains")) {
            chunks.add(ref(each));
            plain.put(hex(each));
        }
        for (String form : List.of("raw", "compressed")) {
            byte[] record = hex(golden.get(form));
            BodyReader in = new BodyReader(ByteBuffer.wrap(record), "seal-region.json", 0);
            StoredRegion region = StoredRegion.read(in, record.length - StoredRegion.FIXED_BYTES);
            region.check();
            assertThat(region.chunks()).isEqualTo(chunks);
            try (RegionOpener opener = new JavaRegionOpener(key)) {
                assertThat(ByteBuffer.wrap(Keys.opened(opener, region)))
                        .isEqualTo(plain.duplicate().flip());
            }
        }
    }

    @Test
    void theSealedPageOpens() throws IOException {
        JsonNode page = golden.get("page");
        List<Pointer> expected = new ArrayList<>();
        for (JsonNode plain : page.get("plains")) {
            expected.add(Pointer.to(ref(plain)));
        }
        assertThat(open(page, expected.size())).isEqualTo(expected);
    }

    @Test
    void theSealedPageWithPointersToPartsOpens() throws IOException {
        JsonNode page = vectors("seal-parts.json");
        List<Pointer> expected = new ArrayList<>();
        for (JsonNode pointer : page.get("pointers")) {
            expected.add(new Pointer(
                    ref(pointer.get("plain")),
                    pointer.get("from").asInt(),
                    pointer.get("length").asInt()));
        }
        assertThat(open(page, expected.size())).isEqualTo(expected);
    }

    private List<Pointer> open(JsonNode page, int pointers) throws IOException {
        ByteBuffer salt = ByteBuffer.wrap(hex(page.get("salt")));
        List<Fingerprint> references = new ArrayList<>();
        page.get("references").forEach(reference -> references.add(Fingerprint.parseHex(reference.asText())));
        SnapshotInfo info = new SnapshotInfo(
                1,
                new SnapshotName("vm"),
                Instant.EPOCH,
                39,
                pointers,
                new SnapshotSeal(key.id(), new UUID(salt.getLong(), salt.getLong())),
                new SealedBytes(new byte[0]),
                Fingerprint.ofData(salt));
        ListPage sealed = new ListPage(0, references, new SealedBytes(hex(page.get("sealed"))));
        return new SnapshotOpener(key, info)
                .entries(0, sealed).stream().map(PointerRun::pointer).toList();
    }
}
