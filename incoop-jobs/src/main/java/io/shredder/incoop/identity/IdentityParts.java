// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What an identity is made of: sorted names with values, as text a line each. One thread. */
final class IdentityParts {

    private static final int SHOWN_CHARACTERS = 60;

    private final SortedMap<String, String> parts = new TreeMap<>();

    void put(String name, String value) {
        parts.put(name, value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r"));
    }

    /** Adds a value to those that stand under the name already, in order. */
    void add(String name, String value) {
        parts.merge(name, value, (one, other) -> one + " and " + other);
    }

    /** Lines {@code name = value}, sorted. */
    String document() {
        StringBuilder document = new StringBuilder();
        parts.forEach((name, value) ->
                document.append(name).append(" = ").append(value).append('\n'));
        return document.toString();
    }

    /** SHA-256 of a text. */
    static Fingerprint digest(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Fingerprint.of(DigestAlgorithm.SHA_256.newMessageDigest().digest(bytes));
    }

    /** In which parts these differ from another {@link #document}, each with both values. */
    List<String> differencesFrom(String otherDocument) {
        SortedMap<String, String> other = new TreeMap<>();
        for (String line : otherDocument.lines().toList()) {
            int middle = line.indexOf(" = ");
            if (middle > 0) {
                other.put(line.substring(0, middle), line.substring(middle + 3));
            }
        }
        TreeSet<String> names = new TreeSet<>(parts.keySet());
        names.addAll(other.keySet());
        List<String> differences = new ArrayList<>();
        for (String name : names) {
            if (!Objects.equals(parts.get(name), other.get(name))) {
                int from = firstDifference(other.get(name), parts.get(name));
                differences.add(
                        name + " (" + shown(other.get(name), from) + " -> " + shown(parts.get(name), from) + ")");
            }
        }
        return differences;
    }

    private static int firstDifference(@Nullable String one, @Nullable String other) {
        return one == null || other == null ? 0 : Math.max(0, Arrays.mismatch(one.toCharArray(), other.toCharArray()));
    }

    /** A value as one can read it in a line: whole if it is short, else what lies around the first difference. */
    private static String shown(@Nullable String value, int from) {
        if (value == null) {
            return "unset";
        }
        if (value.length() <= SHOWN_CHARACTERS) {
            return value;
        }
        int start = Math.max(0, Math.min(from - SHOWN_CHARACTERS / 4, value.length() - SHOWN_CHARACTERS));
        int end = Math.min(value.length(), start + SHOWN_CHARACTERS);
        return (start > 0 ? "..." : "") + value.substring(start, end) + (end < value.length() ? "..." : "");
    }
}
