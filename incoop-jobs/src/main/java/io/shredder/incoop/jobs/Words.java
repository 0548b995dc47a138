// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import java.util.Arrays;
import org.apache.hadoop.io.Text;

/**
 * The words of a line: longest runs of ASCII letters, digits, underscores and bytes of other alphabets (0x80 and
 * above). Used over and over, so that no line costs an object; for one thread.
 */
final class Words {
    private static final boolean[] IN_WORD = new boolean[256];

    static {
        for (int b = 0; b < IN_WORD.length; b++) {
            IN_WORD[b] = Character.isLetterOrDigit(b) || b == '_' || b >= 0x80;
        }
    }

    private byte[] line = new byte[0];
    private int[] starts = new int[64];
    private int[] ends = new int[64];
    private int count;

    /** Finds the words of a line, whose bytes must stay as they are while the words are used. */
    void of(Text text) {
        line = text.getBytes();
        count = 0;
        int length = text.getLength();
        int at = 0;
        while (at < length) {
            if (!IN_WORD[line[at] & 0xff]) {
                at++;
                continue;
            }
            int start = at;
            while (at < length && IN_WORD[line[at] & 0xff]) {
                at++;
            }
            add(start, at);
        }
    }

    private void add(int start, int end) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        starts[count] = start;
        ends[count] = end;
        count++;
    }

    int count() {
        return count;
    }

    /** The bytes in which the words lie. */
    byte[] bytes() {
        return line;
    }

    int start(int word) {
        return starts[word];
    }

    int length(int word) {
        return ends[word] - starts[word];
    }

    /** Puts a word into a text. */
    void copyTo(int word, Text text) {
        text.set(line, start(word), length(word));
    }

    /** Appends a word to a text. */
    void appendTo(int word, Text text) {
        text.append(line, start(word), length(word));
    }

    /** Compares two words byte by byte. */
    int compare(int one, int other) {
        return Arrays.compareUnsigned(line, starts[one], ends[one], line, starts[other], ends[other]);
    }
}
