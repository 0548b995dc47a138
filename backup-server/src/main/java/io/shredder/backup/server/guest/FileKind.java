// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import java.io.IOException;
import java.util.Locale;

/** What a name in a file system stands for. */
public enum FileKind {
    FILE('-'),
    FOLDER('d'),
    LINK('l'),
    /** Another name of a file that was told before. */
    HARD_LINK('-'),
    PIPE('p'),
    SOCKET('s'),
    BLOCK_DEVICE('b'),
    CHARACTER_DEVICE('c'),
    UNKNOWN('?');

    private final char letter;

    FileKind(char letter) {
        this.letter = letter;
    }

    /** As the first letter of a line of {@code ls -l}. */
    public char letter() {
        return letter;
    }

    /** Whether its size is that of bytes that would be brought. */
    public boolean hasBytes() {
        return this == FILE;
    }

    /** As it is called in JSON. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static FileKind parse(String word) throws IOException {
        for (FileKind kind : values()) {
            if (kind.word().equals(word)) {
                return kind;
            }
        }
        throw new IOException("the reader of files named a kind of file that there is not");
    }
}
