// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * The vectors in {@code testvectors/chunking.json}, for the tests of every module beside {@code testvectors}. Running
 * {@link #main} fills in the chunks of new vectors.
 */
public final class GoldenVectors {

    /** One stream, how to cut it, and its chunks. */
    public record GoldenVector(String name, ChunkingParams params, byte[] input, List<Chunk> chunks) {

        static GoldenVector of(JsonNode vector) {
            return new GoldenVector(
                    vector.get("name").asText(),
                    GoldenVectors.params(vector.get("params")),
                    TestInput.make(vector.get("input")),
                    decode(vector.get("chunks")));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private GoldenVectors() {}

    /** Where vectors are, for a test of any module. */
    public static Path directory() {
        return Path.of("..", "testvectors");
    }

    /** The bytes that an {@code input} describes. */
    public static byte[] input(JsonNode input) {
        return TestInput.make(input);
    }

    /** All of them. */
    public static List<GoldenVector> read() {
        return StreamSupport.stream(readTree().spliterator(), false)
                .map(GoldenVector::of)
                .toList();
    }

    private static JsonNode readTree() {
        try {
            return JSON.readTree(directory().resolve("chunking.json").toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ChunkingParams params(JsonNode params) {
        return new ChunkingParams(
                new Polynomial(Long.decode(params.get("polynomial").asText())),
                params.get("maskBits").asInt(),
                Long.decode(params.get("marker").asText()),
                params.get("min").asInt(),
                params.get("max").asInt(),
                params.get("segmentMaskBits").asInt(),
                params.get("segmentMin").asLong(),
                params.get("segmentMax").asLong(),
                DigestAlgorithm.parse(params.path("digest").asText("sha256")));
    }

    private static List<Chunk> decode(JsonNode encoded) {
        List<Chunk> chunks = new ArrayList<>();
        long offset = 0;
        for (JsonNode chunk : encoded) {
            int length = chunk.get(0).asInt();
            Fingerprint fingerprint = Fingerprint.parseHex(chunk.get(1).asText());
            chunks.add(new Chunk(offset, length, fingerprint, chunk.get(2).asBoolean()));
            offset += length;
        }
        return chunks;
    }

    private static ArrayNode encode(List<Chunk> chunks) {
        ArrayNode encoded = JSON.createArrayNode();
        for (Chunk chunk : chunks) {
            encoded.addArray()
                    .add(chunk.length())
                    .add(chunk.fingerprint().toString())
                    .add(chunk.segmentEnd());
        }
        return encoded;
    }

    /** Adds chunks to the vectors that have none; never changes those that have. */
    public static void main(String[] args) throws IOException {
        JsonNode vectors = readTree();
        for (JsonNode vector : vectors) {
            if (!vector.has("chunks")) {
                List<Chunk> chunks =
                        ReferenceChunker.chunk(params(vector.get("params")), TestInput.make(vector.get("input")));
                ((ObjectNode) vector).set("chunks", encode(chunks));
            }
        }
        Files.writeString(directory().resolve("chunking.json"), JSON.writeValueAsString(vectors) + "\n");
    }
}
