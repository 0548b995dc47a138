// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Polynomial;
import io.shredder.chunk.ReferenceChunker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code testvectors/chunking.json}, through JNI. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GoldenVectorsTest {

    private static final Path VECTORS = Path.of("..", "testvectors", "chunking.json");

    @ParameterizedTest
    @MethodSource("io.shredder.engine.EngineTests#availableBackends")
    void everyBackendGivesThem(Backend backend) throws Exception {
        for (int bufferBytes : new int[] {4096, 1 << 20}) {
            try (Shredder engine = EngineTests.open(backend, bufferBytes)) {
                for (JsonNode vector : vectors()) {
                    assertThat(EngineTests.chunks(engine, params(vector), input(vector.get("input"))))
                            .as("%s, buffers of %s", vector.get("name"), bufferBytes)
                            .isEqualTo(chunks(vector));
                }
            }
        }
    }

    @Test
    void theJavaReferenceAgreesWithTheEngineOnThem() throws Exception {
        try (Shredder engine = EngineTests.open(Backend.CPU, 8192)) {
            for (JsonNode vector : vectors()) {
                byte[] input = input(vector.get("input"));
                assertThat(EngineTests.chunks(engine, params(vector), input))
                        .isEqualTo(ReferenceChunker.chunk(params(vector), input));
            }
        }
    }

    private static List<JsonNode> vectors() throws IOException {
        List<JsonNode> vectors = new ArrayList<>();
        new ObjectMapper().readTree(VECTORS.toFile()).forEach(vectors::add);
        assertThat(vectors).hasSizeGreaterThan(10);
        return vectors;
    }

    private static ChunkingParams params(JsonNode vector) {
        JsonNode params = vector.get("params");
        return new ChunkingParams(
                new Polynomial(Long.decode(params.get("polynomial").asText())),
                params.get("maskBits").asInt(),
                Long.decode(params.get("marker").asText()),
                params.get("min").asInt(),
                params.get("max").asInt(),
                params.get("segmentMaskBits").asInt(),
                params.get("segmentMin").asLong(),
                params.get("segmentMax").asLong(),
                DigestAlgorithm.SHA_256);
    }

    private static List<Chunk> chunks(JsonNode vector) {
        List<Chunk> chunks = new ArrayList<>();
        long offset = 0;
        for (JsonNode chunk : vector.get("chunks")) {
            int length = chunk.get(0).asInt();
            chunks.add(new Chunk(
                    offset,
                    length,
                    Fingerprint.parseHex(chunk.get(1).asText()),
                    chunk.get(2).asBoolean()));
            offset += length;
        }
        return chunks;
    }

    private static byte[] input(JsonNode input) {
        return switch (input.get("kind").asText()) {
            case "zeros" -> new byte[input.get("length").asInt()];
            case "hex" -> HexFormat.of().parseHex(input.get("hex").asText());
            case "repeat" ->
                repeat(
                        HexFormat.of().parseHex(input.get("hex").asText()),
                        input.get("length").asInt());
            case "splitmix64" ->
                splitmix64(input.get("seed").asLong(), input.get("length").asInt());
            case "concat" -> concat(input.get("parts"));
            default -> throw new IllegalArgumentException("unknown kind of input " + input);
        };
    }

    private static byte[] repeat(byte[] unit, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = unit[i % unit.length];
        }
        return bytes;
    }

    private static byte[] splitmix64(long seed, int length) {
        ByteBuffer bytes = ByteBuffer.allocate((length + 7) / 8 * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (long state = seed + 0x9E3779B97F4A7C15L; bytes.hasRemaining(); state += 0x9E3779B97F4A7C15L) {
            long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
            z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
            bytes.putLong(z ^ (z >>> 31));
        }
        return Arrays.copyOf(bytes.array(), length);
    }

    private static byte[] concat(JsonNode parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.forEach(part -> all.writeBytes(input(part)));
        return all.toByteArray();
    }
}
