// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.ChunkCodec;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.server.restore.RestoreSession;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.targets.FileTarget;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.ReferenceChunker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent can learn and do without the key, and what a client with another one is told. */
class SealIT {

    private static final String MARK = "nobody at the backup site may read this ";

    private static final ChunkingParams CUTS = ImageCuts.usual().lengths().with(ImageCuts.DEFAULT_DIGEST);

    @TempDir
    private static Path folder;

    private static Sites sites;
    private static Path image;
    private static byte[] contents = new byte[0];

    @BeforeAll
    static void backUp() throws IOException {
        sites = new Sites(folder);
        sites.startAgent();
        image = folder.resolve("image");
        contents = new byte[3 << 20];
        new Random(5).nextBytes(contents);
        byte[] text = MARK.repeat(20_000).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, contents, 1 << 20, text.length);
        Files.write(image, contents);
        assertSucceeds(sites.here("backup", image.toString(), "--name", "vm"));
    }

    @AfterAll
    static void stop() throws IOException {
        sites.close();
    }

    private static void assertSucceeds(Sites.Result result) {
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    private static void assertFails(Sites.Result result, String text) {
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains(text);
        assertThat(result.err().lines()).hasSize(1);
    }

    @Test
    void theAgentKeepsNeitherContentsNorDigestsOfThem() throws IOException {
        List<Chunk> chunks = ReferenceChunker.chunk(CUTS, contents);
        assertThat(chunks).hasSizeGreaterThan(20);
        String kept = "";
        try (Stream<Path> files = Files.walk(sites.repository())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                kept += Files.readString(file, StandardCharsets.ISO_8859_1);
            }
        }
        assertThat(kept.length()).isGreaterThan(2 << 20);
        assertThat(kept.contains(MARK.substring(0, 20))).isFalse();
        for (Chunk chunk : chunks) {
            assertThat(kept.contains(new String(chunk.fingerprint().toBytes(), StandardCharsets.ISO_8859_1)))
                    .isFalse();
        }
        List<Fingerprint> digests = chunks.stream().map(Chunk::fingerprint).toList();
        ChunkIdentity identities = new ChunkIdentity(sites.key(), ImageCuts.DEFAULT_DIGEST);
        try (AgentClient client = sites.connect()) {
            assertThat(Answers.await(client.lookup(digests))).isEqualTo(new BitSet());
            List<Fingerprint> keyed = digests.stream().map(identities::of).toList();
            assertThat(Answers.await(client.lookup(keyed)).cardinality()).isEqualTo(chunks.size());
        }
    }

    @Test
    void anotherKeyIsNamedByEveryCommandAndNothingIsSentOrWritten() throws IOException {
        sites.makeKey("other");
        String[] other = sites.keyOptions("other").toArray(String[]::new);
        String to = folder.resolve("x").toString();
        String wrong = "vm@1: it is sealed with key " + sites.key().id() + ", not with key ";
        assertFails(sites.here("restore", "vm", "--to", to, other[0], other[1], other[2], other[3]), wrong);
        assertFails(sites.here("show", "vm", other[0], other[1], other[2], other[3]), wrong);
        assertThat(Path.of(to)).doesNotExist();
        Sites.Result beside =
                sites.here("backup", image.toString(), "--name", "vm", other[0], other[1], other[2], other[3]);
        assertSucceeds(beside);
        assertSucceeds(sites.here("verify", "vm@1"));
        assertSucceeds(sites.here("backup", image.toString(), "--name", "vm2", other[0], other[1], other[2], other[3]));
        assertSucceeds(sites.here("verify"));
        Sites.Result noSecret = sites.here("restore", "vm", "--to", to, other[0], other[1]);
        assertFails(noSecret, "there is no terminal to ask for the passphrase of");
    }

    /** An agent that lies with right digests: only the seal can tell. */
    @Test
    void chunksThatSomebodyWithoutTheKeyPutAreNeverRestored() throws IOException {
        byte[] evil = new byte[1 << 20];
        new Random(6).nextBytes(evil);
        Path victim = Files.write(folder.resolve("victim"), evil);
        ChunkIdentity identities = new ChunkIdentity(sites.key(), ImageCuts.DEFAULT_DIGEST);
        Chunk first = ReferenceChunker.chunk(CUTS, evil).get(0);
        byte[] forged = new byte[100];
        try (AgentClient client = sites.connect()) {
            Answers.await(client.put(new StoredRegion(
                    new ChunkRef(first.length(), identities.of(first.fingerprint())),
                    ChunkCodec.SEALED,
                    Fingerprint.ofData(ByteBuffer.wrap(forged)),
                    new StoredRegion.Payload(forged))));
        }
        assertSucceeds(sites.here("backup", victim.toString(), "--name", "victim"));
        assertSucceeds(sites.here("verify"));
        String[] key = sites.keyOptions("site").toArray(String[]::new);
        assertFails(sites.here("verify", "victim", key[0], key[1], key[2], key[3]), "its seal is broken");
        assertThat(sites.here("verify", "vm", key[0], key[1], key[2], key[3]).out())
                .contains("3.1 MB: all good");
        assertFails(
                sites.here("restore", "victim", "--to", folder + "/y"),
                "its seal is broken: it was damaged, forged or sealed with another key");
        assertThat(folder.resolve("y")).doesNotExist();
        assertThat(folder.toFile().list((dir, name) -> name.contains("restoring")))
                .isEmpty();
    }

    @Test
    void aSnapshotThatTheAgentPassesOffAsAnotherIsRefused() throws Exception {
        Path other = folder.resolve("other");
        Sites.random(other, new Random(9), 1 << 20);
        assertSucceeds(sites.here("backup", other.toString(), "--name", "other"));
        try (AgentClient client = sites.connect()) {
            SnapshotInfo vm = latest(client, "vm");
            SnapshotInfo passedOff = latest(client, "other");
            SnapshotInfo lie = new SnapshotInfo(
                    passedOff.id(),
                    vm.name(),
                    vm.received(),
                    passedOff.imageBytes(),
                    passedOff.chunkCount(),
                    passedOff.seal(),
                    passedOff.summary(),
                    vm.contentDigest());
            try (FileTarget target = new FileTarget(folder.resolve("z"), false, false, 2)) {
                assertThatThrownBy(() -> new RestoreSession(client, sites.key(), Cores.all()).run(lie, target))
                        .hasMessageContaining("snapshot vm@" + passedOff.id() + ": its summary's seal is broken");
            }
        }
        assertThat(folder.resolve("z")).doesNotExist();
    }

    private static SnapshotInfo latest(AgentClient client, String name) throws Exception {
        return client.list(0).snapshots().stream()
                .filter(snapshot -> snapshot.name().value().equals(name))
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }
}
