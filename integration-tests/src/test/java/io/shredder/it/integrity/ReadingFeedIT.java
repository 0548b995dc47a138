// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReadingFeedIT {
    private static final int BYTES = 19 * (1 << 20) + 12_345;
    private static final DigestAlgorithm DIGEST = DigestAlgorithm.BLAKE3;

    @TempDir
    Path folder;

    private Path file() throws IOException {
        byte[] content = new byte[BYTES];
        new Random(1).nextBytes(content);
        return Files.write(folder.resolve("file"), content);
    }

    /** What a feed handed over. */
    private record Seen(byte[] bytes, List<Integer> lengths, List<Fingerprint> digests) {}

    private static Seen seen(BlockFeed feed, Path file) throws IOException {
        var bytes = new ByteArrayOutputStream();
        List<Integer> lengths = new ArrayList<>();
        List<Fingerprint> digests = new ArrayList<>();
        feed.feed(file, blocks -> {
            ByteBuffer data = blocks.data().duplicate().rewind();
            for (int length : blocks.lengths()) {
                byte[] block = new byte[length];
                data.get(block);
                bytes.write(block);
                lengths.add(length);
            }
            digests.addAll(blocks.digests());
        });
        return new Seen(bytes.toByteArray(), lengths, digests);
    }

    @ParameterizedTest
    @EnumSource(
            value = Variant.class,
            names = {"NONE", "CPU_1", "CPU", "ORACLE"})
    void everyVariantHandsOverTheWholeFile(Variant variant) throws IOException {
        Path file = file();
        for (boolean byContent : new boolean[] {false, true}) {
            var cutting = new Cutting(byContent, 1 << 20);
            try (Feeds feeds = new Feeds(DIGEST, 2);
                    BlockFeed feed = feeds.of(variant, cutting, List.of(file))) {
                Seen seen = seen(feed, file);
                Seen again = seen(feed, file);
                assertThat(seen.bytes).isEqualTo(Files.readAllBytes(file));
                assertThat(again.lengths).isEqualTo(seen.lengths);
                assertThat(again.digests).isEqualTo(seen.digests);
                assertThat(seen.digests).hasSize(variant.isAddressed() ? seen.lengths.size() : 0);
            }
        }
    }

    @Test
    void allThatDigestGiveTheSameBlocksAndTheDigestIsThatOfTheBytes() throws IOException {
        Path file = file();
        for (boolean byContent : new boolean[] {false, true}) {
            var cutting = new Cutting(byContent, 256 << 10);
            try (Feeds feeds = new Feeds(DIGEST, 2);
                    BlockFeed one = feeds.of(Variant.CPU_1, cutting, List.of());
                    BlockFeed all = feeds.of(Variant.CPU, cutting, List.of());
                    BlockFeed oracle = feeds.of(Variant.ORACLE, cutting, List.of(file))) {
                Seen seen = seen(one, file);
                assertThat(seen(all, file).lengths).isEqualTo(seen.lengths);
                assertThat(seen(all, file).digests).isEqualTo(seen.digests);
                assertThat(seen(oracle, file).lengths).isEqualTo(seen.lengths);
                assertThat(seen(oracle, file).digests).isEqualTo(seen.digests);
                assertThat(seen.digests.get(0))
                        .isEqualTo(Fingerprint.ofData(
                                DIGEST,
                                ByteBuffer.wrap(seen.bytes, 0, seen.lengths.get(0))
                                        .slice()));
            }
        }
    }

    @Test
    void theOracleKnowsNoOtherFile() throws IOException {
        Path other = Files.write(folder.resolve("other"), new byte[10]);
        try (Feeds feeds = new Feeds(DIGEST, 1);
                BlockFeed oracle = feeds.of(Variant.ORACLE, new Cutting(false, 1 << 20), List.of(file()))) {
            assertThatThrownBy(() -> seen(oracle, other))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("not told of");
        }
    }

    @Test
    void aFileThatEndsTooSoonIsAnError() throws IOException {
        Path file = file();
        try (BlockFeed feed = ReadingFeed.of(any -> ReadingFeed.ofLength(2L * BYTES, 1 << 20), 2)) {
            assertThatThrownBy(() -> seen(feed, file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ends before byte");
        }
    }
}
