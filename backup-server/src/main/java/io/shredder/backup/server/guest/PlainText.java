// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import java.util.Locale;

/** Names of an image as lines of text, which may be shown on a terminal. */
public final class PlainText {

    private static final int READ = 4;
    private static final int WRITE = 2;
    private static final int RUN = 1;

    private PlainText() {}

    /** The name with all that is no visible character written as its number. */
    public static String of(String name) {
        StringBuilder plain = new StringBuilder();
        name.codePoints().forEach(point -> {
            boolean shown =
                    switch (Character.getType(point)) {
                        case Character.CONTROL,
                                Character.FORMAT,
                                Character.SURROGATE,
                                Character.PRIVATE_USE,
                                Character.UNASSIGNED,
                                Character.LINE_SEPARATOR,
                                Character.PARAGRAPH_SEPARATOR -> false;
                        default -> true;
                    };
            if (shown) {
                plain.appendCodePoint(point);
            } else {
                plain.append(String.format(Locale.ROOT, "\\u{%x}", point));
            }
        });
        return plain.toString();
    }

    /** Nine letters for nine bits, and those of the three bits above. */
    static String permissions(int mode) {
        StringBuilder text = new StringBuilder();
        for (int shift = 6; shift >= 0; shift -= 3) {
            int bits = mode >> shift;
            boolean special = ((mode >> (9 + shift / 3)) & 1) != 0;
            char letter = shift == 0 ? 't' : 's';
            text.append((bits & READ) != 0 ? 'r' : '-').append((bits & WRITE) != 0 ? 'w' : '-');
            if (special) {
                text.append((bits & RUN) != 0 ? letter : Character.toUpperCase(letter));
            } else {
                text.append((bits & RUN) != 0 ? 'x' : '-');
            }
        }
        return text.toString();
    }
}
