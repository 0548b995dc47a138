// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal.keyfile;

import io.shredder.backup.seal.RepositoryKey;
import io.shredder.chunk.Fingerprint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A repository key as lines to print and to type in again: {@code docs/formats/key.md}. Four lines have eight bytes
 * each, in groups of four hexadecimal digits, and a check of their own, so that a slip is found in its line. A last
 * line is a check of the whole. Not encrypted: the paper is the key.
 */
public final class PaperKey {

    private static final int LINES = 4;
    private static final int LINE_BYTES = RepositoryKey.BYTES / LINES;
    private static final int CHECK_BYTES = 2;
    private static final Pattern LINE = Pattern.compile("([0-9]+):([0-9a-f]{16})-([0-9a-f]{4})");
    private static final HexFormat HEX = HexFormat.of();

    private PaperKey() {}

    /** The lines to print. */
    public static List<String> lines(RepositoryKey key) {
        byte[] secret = key.secret();
        List<String> lines = new ArrayList<>();
        for (int number = 1; number <= LINES; number++) {
            byte[] bytes = java.util.Arrays.copyOfRange(secret, (number - 1) * LINE_BYTES, number * LINE_BYTES);
            String digits = HEX.formatHex(bytes);
            lines.add(number + ": " + digits.replaceAll("(.{4})(?=.)", "$1 ") + " - " + check(number, bytes));
        }
        lines.add("id: " + key.id());
        return lines;
    }

    /**
     * The key that was printed. Lines that are none of the key's, and spaces and case, don't matter.
     *
     * @throws IOException naming the line that is missing or has a slip
     */
    public static RepositoryKey parse(List<String> lines) throws IOException {
        ByteArrayOutputStream secret = new ByteArrayOutputStream();
        String id = "";
        for (String typed : lines) {
            String line = typed.replaceAll("\\s", "").toLowerCase(Locale.ROOT);
            if (line.startsWith("id:")) {
                id = line.substring("id:".length());
            } else if (line.matches("[0-9]+:.*")) {
                secret.writeBytes(parseLine(line, secret.size() / LINE_BYTES + 1));
            }
        }
        if (secret.size() != RepositoryKey.BYTES) {
            throw new IOException("line " + (secret.size() / LINE_BYTES + 1) + " of the paper copy is missing");
        }
        RepositoryKey key = RepositoryKey.of(secret.toByteArray());
        if (!id.equals(key.id().toString())) {
            throw new IOException("the lines give key " + key.id() + ", but the line 'id:' says '" + id
                    + "': compare with the paper again");
        }
        return key;
    }

    private static byte[] parseLine(String line, int expected) throws IOException {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches() || !matcher.group(1).equals(Integer.toString(expected)) || expected > LINES) {
            throw new IOException("line " + expected + " of the paper copy is '" + line
                    + "', not a number, 16 digits and a check of 4: compare with the paper again");
        }
        byte[] bytes = HEX.parseHex(matcher.group(2));
        if (!check(expected, bytes).equals(matcher.group(3))) {
            throw new IOException(
                    "there is a slip in line " + expected + " of the paper copy: compare with the paper again");
        }
        return bytes;
    }

    /** The first bytes of the SHA-256 of the line's number and bytes. */
    private static String check(int number, byte[] bytes) {
        ByteBuffer line = ByteBuffer.allocate(1 + LINE_BYTES).put((byte) number).put(bytes);
        return Fingerprint.ofData(line.flip()).toString().substring(0, 2 * CHECK_BYTES);
    }
}
