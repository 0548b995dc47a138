// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Text to upload, the same for the same seed. */
final class TextFiles {

    private TextFiles() {}

    /** About {@code bytes} bytes of lines of up to 120 bytes; the last line has an end too. */
    static byte[] lines(int bytes, long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder(bytes + 128);
        while (text.length() < bytes) {
            for (int words = random.nextInt(12); words >= 0; words--) {
                text.append(Integer.toString(random.nextInt(1 << 24), 36)).append(' ');
            }
            text.append('\n');
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** {@code data} with {@code insertion} put in at {@code offset}. */
    static byte[] inserted(byte[] data, int offset, String insertion) {
        byte[] added = insertion.getBytes(StandardCharsets.US_ASCII);
        byte[] edited = Arrays.copyOf(data, data.length + added.length);
        System.arraycopy(data, offset, edited, offset + added.length, data.length - offset);
        System.arraycopy(added, 0, edited, offset, added.length);
        return edited;
    }
}
