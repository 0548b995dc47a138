// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Where an editor gets lines from. */
public interface NewLines {
    /** At least so many bytes of whole lines that were not there before. */
    byte[] lines(int bytes, Random random);

    /** What whole lines become when they are rewritten. */
    byte[] rewritten(byte[] lines, Random random);

    /** Lines of prose or programs: each letter becomes its neighbour in the alphabet, and lines get a bit longer. */
    NewLines TEXT = new NewLines() {
        @Override
        public byte[] lines(int bytes, Random random) {
            var lines = new StringBuilder(bytes + 80);
            while (lines.length() < bytes) {
                lines.append("inserted ").append(Long.toString(random.nextLong(), 36));
                lines.append(random.nextInt(6) == 0 ? '\n' : ' ');
            }
            return lines.append('\n').toString().getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public byte[] rewritten(byte[] lines, Random random) {
            var changed = new StringBuilder(lines.length);
            for (byte b : lines) {
                char c = (char) (b & 0xff);
                if (c == '\n') {
                    changed.append(" /").append(random.nextInt(10));
                }
                changed.append(Character.isLetter(c) && c < 'z' ? (char) (c + 1) : c);
            }
            return changed.toString().getBytes(StandardCharsets.ISO_8859_1);
        }
    };
}
