// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Random text and random edits of it. */
final class EditedTexts {

    private EditedTexts() {}

    static List<String> lines(Random random, int count) {
        List<String> lines = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            lines.add(line(random));
        }
        return lines;
    }

    static String line(Random random) {
        StringBuilder line = new StringBuilder();
        for (int words = random.nextInt(12); words >= 0; words--) {
            line.append('w')
                    .append((int) Math.abs(random.nextGaussian() * 300))
                    .append(random.nextInt(9) == 0 ? '\t' : ' ');
        }
        return line.toString();
    }

    static byte[] bytes(List<String> lines) {
        return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Replaces, inserts, deletes and moves a few lines. */
    static List<String> edited(Random random, List<String> lines, int edits) {
        List<String> edited = new ArrayList<>(lines);
        for (int i = 0; i < edits; i++) {
            int at = random.nextInt(edited.size());
            switch (random.nextInt(4)) {
                case 0 -> edited.set(at, line(random));
                case 1 -> edited.add(at, line(random));
                case 2 ->
                    Collections.rotate(edited.subList(at, Math.min(edited.size(), at + 200)), 1 + random.nextInt(50));
                default -> edited.remove(at);
            }
        }
        return edited;
    }
}
