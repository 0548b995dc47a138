// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire.keep;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.FieldReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The name of a file or folder in a keeper's folder, such as {@code files/highest-id@00000001.0000000000000001.copy}.
 * It leads nowhere else: it has no empty part, no {@code .} and {@code ..}, no control character and no backslash, and
 * is not the keeper's lock.
 *
 * @param value parts with a slash between two of them
 */
public record KeptName(String value) implements Comparable<KeptName> {

    /** The longest name, in bytes of UTF-8. */
    public static final int MAX_BYTES = 1024;

    private static final int MAX_PART_BYTES = 255;
    private static final String LOCK = "lock";

    /** Refuses what leads elsewhere. */
    public KeptName {
        String problem = problem(value);
        if (!problem.isEmpty()) {
            throw new IllegalArgumentException(problem);
        }
    }

    private static String problem(String value) {
        if (utf8(value).length > MAX_BYTES) {
            return "a name is longer than " + MAX_BYTES + " bytes";
        }
        if (value.chars().anyMatch(c -> c < ' ' || c == 0x7f || c == '\\' || Character.isSurrogate((char) c))) {
            return "a name has a character that no file of a keeper has";
        }
        List<String> parts = partsOf(value);
        if (parts.stream().anyMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."))) {
            return "'" + value + "' is no name of a keeper's file";
        }
        if (parts.stream().anyMatch(part -> utf8(part).length > MAX_PART_BYTES)) {
            return "a part of a name is longer than " + MAX_PART_BYTES + " bytes";
        }
        return parts.get(0).equals(LOCK) ? "'" + value + "' is the keeper's own" : "";
    }

    private static List<String> partsOf(String value) {
        return List.of(value.split("/", -1));
    }

    /** What is between the slashes. */
    public List<String> parts() {
        return partsOf(value);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static KeptName read(FieldReader in, String field) throws DamagedDataException {
        String text = in.text(field, MAX_BYTES);
        try {
            return new KeptName(text);
        } catch (IllegalArgumentException e) {
            throw in.damagedBefore(2 + utf8(text).length, field + ": " + e.getMessage());
        }
    }

    int encodedBytes() {
        return 2 + utf8(value).length;
    }

    void write(ByteBuffer target) {
        byte[] bytes = utf8(value);
        target.putShort((short) bytes.length).put(bytes);
    }

    /** By their parts: what is in a folder comes together. */
    @Override
    public int compareTo(KeptName other) {
        return value.replace('/', '\0').compareTo(other.value.replace('/', '\0'));
    }

    @Override
    public String toString() {
        return value;
    }
}
