// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/** Makes the inputs that {@code testvectors/chunking.json} describes: see {@code testvectors/README.md}. */
final class TestInput {

    private TestInput() {}

    static byte[] make(JsonNode input) {
        String kind = input.get("kind").asText();
        return switch (kind) {
            case "zeros" -> new byte[input.get("length").asInt()];
            case "hex" -> hex(input);
            case "repeat" -> repeat(hex(input), input.get("length").asInt());
            case "splitmix64" ->
                splitmix64(input.get("seed").asLong(), input.get("length").asInt());
            case "concat" -> concat(input.get("parts"));
            default -> throw new IllegalArgumentException("unknown kind of input '" + kind + "'");
        };
    }

    /** The standard splitmix64 sequence, each output as 8 little-endian bytes. */
    static byte[] splitmix64(long seed, int length) {
        ByteBuffer bytes = ByteBuffer.allocate((length + 7) / 8 * 8).order(ByteOrder.LITTLE_ENDIAN);
        long state = seed;
        while (bytes.hasRemaining()) {
            state += 0x9E3779B97F4A7C15L;
            long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
            z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
            bytes.putLong(z ^ (z >>> 31));
        }
        return Arrays.copyOf(bytes.array(), length);
    }

    private static byte[] hex(JsonNode input) {
        return HexFormat.of().parseHex(input.get("hex").asText());
    }

    private static byte[] repeat(byte[] pattern, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = pattern[i % pattern.length];
        }
        return bytes;
    }

    private static byte[] concat(JsonNode parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        parts.forEach(part -> all.writeBytes(make(part)));
        return all.toByteArray();
    }
}
