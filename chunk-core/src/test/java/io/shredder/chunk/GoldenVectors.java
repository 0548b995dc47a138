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
import java.util.List;

/** The vectors in {@code testvectors/chunking.json}. Running {@link #main} fills in the chunks of new vectors. */
final class GoldenVectors {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private GoldenVectors() {}

    static Path directory() {
        return Path.of("..", "testvectors");
    }

    static JsonNode read() {
        try {
            return JSON.readTree(directory().resolve("chunking.json").toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ChunkingParams params(JsonNode params) {
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

    static ArrayNode encode(List<Chunk> chunks) {
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
        JsonNode vectors = read();
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
