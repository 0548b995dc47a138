// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.bytes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Texts in messages and files: a two-byte length, then UTF-8 of at most {@link #MAX_BYTES} bytes. */
public final class Texts {

    /** The longest text in bytes of UTF-8. */
    public static final int MAX_BYTES = 2048;

    private Texts() {}

    /** Bytes that {@link #write} will use. */
    public static int encodedBytes(String text) {
        return 2 + utf8(text).length;
    }

    /** Writes at the position of {@code target}, which must be big-endian. A longer text is cut off at the limit. */
    public static void write(String text, ByteBuffer target) {
        byte[] utf8 = utf8(text);
        target.putShort((short) utf8.length).put(utf8);
    }

    private static byte[] utf8(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length <= MAX_BYTES) {
            return utf8;
        }
        int end = MAX_BYTES;
        while ((utf8[end] & 0xC0) == 0x80) {
            end--;
        }
        return Arrays.copyOf(utf8, end);
    }
}
