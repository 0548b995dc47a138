// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.GoldenVectors;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class KeyedTagsTest {

    private static ByteBuffer direct(byte[] bytes, int before) {
        return ByteBuffer.allocateDirect(before + bytes.length)
                .position(before)
                .put(bytes)
                .position(before);
    }

    private static String hex(TagList tags) {
        ByteBuffer bytes = ByteBuffer.allocate(tags.count() * TagList.TAG_BYTES);
        tags.write(bytes);
        return HexFormat.of().formatHex(bytes.array());
    }

    @Test
    void theVectorsThatAnotherProgramComputed() throws Exception {
        JsonNode vectors = new ObjectMapper()
                .readTree(GoldenVectors.directory().resolve("tags.json").toFile());
        assertThat(vectors.size()).isGreaterThan(50);
        for (JsonNode vector : vectors) {
            byte[] input = GoldenVectors.input(vector.get("input"));
            KeyedTags tags =
                    new KeyedTags(HexFormat.of().parseHex(vector.get("key").asText()));
            TagList tag = tags.of(direct(input, 3), new int[] {input.length});
            assertThat(hex(tag))
                    .as(vector.toString())
                    .isEqualTo(vector.get("tag").asText());
        }
    }

    @Test
    void chunksBackToBackAreTaggedEachForItself() throws Exception {
        KeyedTags tags = new KeyedTags(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
        byte[] bytes = new byte[1000];
        new java.util.Random(1).nextBytes(bytes);
        ByteBuffer data = direct(bytes, 0);
        TagList both = tags.of(data, new int[] {300, 700});
        assertThat(data.position()).isZero();
        assertThat(tags.of(data.slice(300, 700).asReadOnlyBuffer(), new int[] {700}))
                .isEqualTo(both.part(1, 1))
                .hasToString("1 tags");
        assertThat(both.part(0, 1)).isNotEqualTo(both.part(1, 1));
        assertThat(both.matches(0, both, 1, 1)).isFalse();
        assertThat(both.matches(1, both.part(1, 1), 0, 1)).isTrue();
        assertThat(TagList.read(ByteBuffer.wrap(HexFormat.of().parseHex(hex(both))), 2))
                .isEqualTo(both);
        assertThat(tags.of(data, new int[0]).count()).isZero();
    }

    @Test
    void whatIsNotInTheBufferIsRefused() throws Exception {
        KeyedTags tags = new KeyedTags(new byte[16]);
        assertThatThrownBy(() -> tags.of(ByteBuffer.allocateDirect(9), new int[] {5, 5}))
                .hasMessage("chunks of 10 bytes are not in a buffer of 9");
        assertThatThrownBy(() -> tags.of(ByteBuffer.allocateDirect(9), new int[] {-1}))
                .hasMessage("a chunk of -1 bytes");
        assertThatThrownBy(() -> tags.of(ByteBuffer.allocate(9), new int[] {9}))
                .hasMessage("a direct buffer is needed");
        assertThatThrownBy(() -> new KeyedTags(new byte[15])).hasMessage("a key of tags has 16 bytes, not 15");
    }
}
