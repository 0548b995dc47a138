// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots that share the pages of their lists, through the programs. */
class SharedListIT {

    private static final int IMAGE_BYTES = 20 << 20;

    @TempDir
    private Path folder;

    private Sites sites;
    private Path image;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        Path rights = Files.writeString(folder.resolve("rights.yaml"), "others: {rights: [append, restore, prune]}");
        sites.serveWith("--rights", rights.toString());
        sites.startAgent();
        image = folder.resolve("image");
        Sites.random(image, new Random(1), IMAGE_BYTES);
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private JsonNode backUp(String... more) throws IOException {
        List<String> words =
                new ArrayList<>(List.of("backup", image.toString(), "--name", "vm", "--avg", "4k", "--json"));
        words.addAll(List.of(more));
        return json(words.toArray(String[]::new));
    }

    private JsonNode json(String... words) throws IOException {
        Sites.Result result = sites.here(words);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return new ObjectMapper().readTree(result.out());
    }

    private void assertRestores(String snapshot, String expected) throws IOException {
        Path to = folder.resolve("restored");
        Sites.Result restore = sites.here("restore", snapshot, "--to", to.toString(), "--force");
        assertThat(restore.exitCode()).as(restore.err()).isZero();
        assertThat(Sites.sha256(to)).isEqualTo(expected);
    }

    private void change(long at, int bytes) throws IOException {
        byte[] random = new byte[bytes];
        new Random(at).nextBytes(random);
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.seek(at);
            file.write(random);
        }
    }

    private Path pack(long id) {
        return sites.repository().resolve(String.format("pages/%016d.pages", id));
    }

    @Test
    void anUnchangedImageSharesAllPagesWithAndWithoutACache() throws IOException {
        JsonNode first = backUp();
        assertThat(first.get("listPages").asInt()).isGreaterThan(2);
        assertThat(first.get("sharedPages").asInt()).isZero();
        String digest = Sites.sha256(image);
        String[][] caches = {{"--cache", folder.resolve("other-cache").toString()}, {"--no-cache"}};
        for (String[] cache : caches) {
            JsonNode again = backUp(cache);
            assertThat(again.get("sharedPages").asInt())
                    .isEqualTo(again.get("listPages").asInt())
                    .isEqualTo(first.get("listPages").asInt());
            assertThat(again.get("newChunks").asInt()).isZero();
            assertThat(again.get("contentDigest")).isEqualTo(first.get("contentDigest"));
        }
        JsonNode again = backUp();
        assertThat(again.get("bytesSent").asInt()).isLessThan(8000);
        assertThat(pack(1)).exists();
        for (int id = 2; id <= 4; id++) {
            assertThat(pack(id)).doesNotExist();
            assertRestores("vm@" + id, digest);
        }
        assertThat(sites.here("verify", "vm").exitCode()).isZero();
    }

    @Test
    void aChangeCostsThePagesAroundItAndAnInsertionNoMore() throws IOException {
        int pages = backUp().get("listPages").asInt();
        String before = Sites.sha256(image);
        change(IMAGE_BYTES / 2, 100);
        JsonNode changed = backUp();
        assertThat(changed.get("sharedPages").asInt()).isBetween(pages - 3, pages - 1);
        assertRestores("vm@2", Sites.sha256(image));

        byte[] all = Files.readAllBytes(image);
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.seek(1000);
            file.write(new byte[77]);
            file.write(all, 1000, all.length - 1000);
        }
        JsonNode inserted = backUp("--no-cache");
        assertThat(inserted.get("sharedPages").asInt()).isBetween(pages - 5, pages - 1);
        assertRestores("vm@3", Sites.sha256(image));
        assertThat(sites.here("prune", "--id", "1,2").exitCode()).isZero();
        assertThat(sites.here("gc", "--min-garbage", "0").exitCode()).isZero();
        assertRestores("vm@3", Sites.sha256(image));
        assertThat(before).isNotEqualTo(Sites.sha256(image));
        assertThat(json("diff", "vm@3", "vm@3", "--json").get("newBytes").asLong())
                .isZero();
    }

    @InTurn(days = 3)
    @Test
    void privateListsShareNothingAndMayComeBetween() throws IOException {
        int pages = backUp().get("listPages").asInt();
        JsonNode alone = backUp("--private-lists");
        assertThat(alone.get("sharedPages").asInt()).isZero();
        assertThat(alone.get("newChunks").asInt()).isZero();
        assertThat(backUp("--private-lists").get("contentDigest")).isNotEqualTo(alone.get("contentDigest"));
        assertThat(backUp().get("sharedPages").asInt()).isZero();
        assertThat(backUp().get("sharedPages").asInt()).isEqualTo(pages);
        for (int id = 1; id <= 5; id++) {
            assertRestores("vm@" + id, Sites.sha256(image));
        }
    }

    @InTurn(days = 3)
    @Test
    void runsOfZerosAreOneEntry() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(1L << 28);
        }
        JsonNode first = json("backup", image.toString(), "--name", "sparse", "--json");
        assertThat(first.get("chunks").asLong()).isGreaterThan(1000);
        assertThat(first.get("listPages").asInt()).isEqualTo(1);
        assertThat(Files.size(pack(1))).isLessThan(30_000);
        assertRestores("sparse", Sites.sha256(image));
        JsonNode again = json("backup", image.toString(), "--name", "sparse", "--json");
        assertThat(again.get("sharedPages").asInt()).isEqualTo(1);
    }

    @InTurn(days = 3)
    @Test
    void aTerabyteOfZerosInOneHoleTakesNoMemory() throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(1L << 40);
        }
        List<String> smallHeap = List.of("env", "_JAVA_OPTIONS=-Xmx80m");
        Sites.Result result = sites.serverUnder(smallHeap, "backup", image.toString(), "--name", "huge", "--json");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(new ObjectMapper().readTree(result.out()).get("listPages").asInt())
                .isEqualTo(1);
    }

    @InTurn(days = 3)
    @Test
    void chunksMadeOfPartsThatComeAgainAndAgainAreShared() throws IOException {
        blocks(true);
        String[] command = {"backup", image.toString(), "--name", "vm", "--avg", "16k", "--json"};
        json(command);
        blocks(false);
        JsonNode reduced = json(command);
        assertThat(reduced.get("newBytes").asLong()).as("most of it is parts").isLessThan(40_000);
        assertThat(reduced.get("listPages").asInt()).as("pages full of parts").isGreaterThan(1);
        JsonNode again = json(command);
        assertThat(again.get("sharedPages")).isEqualTo(again.get("listPages"));
        assertRestores("vm@2", Sites.sha256(image));
        assertRestores("vm@3", Sites.sha256(image));
    }

    /** Writes an image of equal blocks, or of blocks that are equal but for some bytes. */
    private void blocks(boolean differ) throws IOException {
        byte[] block = new byte[16 << 10];
        new Random(9).nextBytes(block);
        ByteBuffer all = ByteBuffer.allocate(2500 * block.length);
        for (int i = 0; all.hasRemaining(); i++) {
            all.put(block);
            if (differ) {
                all.putInt(all.position() - block.length / 2, i);
            }
        }
        Files.write(image, all.array());
    }

    @Test
    void aDamagedPageIsMendedByTheNextBackupForAllThatShareIt() throws IOException {
        backUp();
        backUp();
        flipInPack();
        Sites.Result broken =
                sites.here("restore", "vm@1", "--to", folder.resolve("no").toString());
        assertThat(broken.exitCode()).isEqualTo(1);
        assertThat(broken.err()).contains("pages/0000000000000001.pages: damaged at offset");
        assertThat(sites.here("verify").exitCode()).isEqualTo(1);

        JsonNode mending = backUp();
        assertThat(mending.get("sharedPages")).isEqualTo(mending.get("listPages"));
        assertThat(sites.here("verify").exitCode()).isZero();
        for (int id = 1; id <= 3; id++) {
            assertRestores("vm@" + id, Sites.sha256(image));
        }
    }

    private void flipInPack() throws IOException {
        byte[] bytes = Files.readAllBytes(pack(1));
        bytes[bytes.length / 2] ^= 8;
        Files.write(pack(1), bytes);
    }

    @InTurn(days = 3)
    @Test
    void copiesShareAtTheSecondAgentAndMendThePagesOfTheFirst() throws IOException {
        backUp();
        change(5 << 20, 100);
        int pages = backUp().get("listPages").asInt();
        try (Sites second = new Sites(Files.createDirectories(folder.resolve("second")))) {
            second.startAgent();
            assertThat(with(second, "copy", "--all").get("copied")).hasSize(2);
            long brought = Files.size(second.repository().resolve("pages/0000000000000002.pages"));
            assertThat(brought).isLessThan(Files.size(pack(1)) * 4 / pages);

            flipInPack();
            assertThat(with(second, "repair").get("mendedPages").asInt()).isEqualTo(1);
        }
        assertRestores("vm", Sites.sha256(image));
        assertThat(sites.here("verify").exitCode()).isZero();
    }

    private JsonNode with(Sites second, String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(second.secondAgentOptions());
        all.add("--json");
        return json(all.toArray(String[]::new));
    }
}
