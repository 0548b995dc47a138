// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.upload;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Files of lines of words that are drawn, each of its own seed, as long as asked for to the byte. */
public final class UploadTexts {
    private static final int WORDS = 4096;
    private static final int LONGEST_WORD = 12;
    private static final int WORDS_PER_LINE = 12;
    private static final int BUFFER_BYTES = 1 << 20;

    private UploadTexts() {}

    /** Makes them on all cores; what is there with its length stays. */
    public static List<Path> in(Path folder, int files, long bytesEach) throws IOException {
        Files.createDirectories(folder);
        List<Path> texts = IntStream.range(0, files)
                .mapToObj(i -> folder.resolve(String.format(Locale.ROOT, "text-%03d", i)))
                .toList();
        List<IOException> failures = new ArrayList<>();
        IntStream.range(0, files).parallel().forEach(i -> {
            try {
                if (!Files.exists(texts.get(i)) || Files.size(texts.get(i)) != bytesEach) {
                    write(texts.get(i), i, bytesEach);
                }
            } catch (IOException e) {
                synchronized (failures) {
                    failures.add(e);
                }
            }
        });
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        return texts;
    }

    private static void write(Path file, long seed, long bytes) throws IOException {
        byte[][] words = words(new SplittableRandom(1));
        SplittableRandom random = new SplittableRandom(seed);
        byte[] buffer = new byte[BUFFER_BYTES];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (long left = bytes; left > 0; ) {
                int filled = fill(buffer, words, random);
                int part = (int) Math.min(left, filled);
                out.write(buffer, 0, part);
                left -= part;
            }
        }
    }

    /** Fills it up with whole words; tells how far. */
    private static int fill(byte[] buffer, byte[][] words, SplittableRandom random) {
        int at = 0;
        for (int word = 1; at + LONGEST_WORD < buffer.length; word++) {
            byte[] drawn = words[random.nextInt(WORDS)];
            System.arraycopy(drawn, 0, buffer, at, drawn.length);
            at += drawn.length;
            buffer[at++] = (byte) (word % WORDS_PER_LINE == 0 ? '\n' : ' ');
        }
        return at;
    }

    private static byte[][] words(SplittableRandom random) {
        byte[][] words = new byte[WORDS][];
        for (int i = 0; i < WORDS; i++) {
            StringBuilder word = new StringBuilder();
            int length = random.nextInt(2, LONGEST_WORD);
            for (int j = 0; j < length; j++) {
                word.append((char) ('a' + random.nextInt(26)));
            }
            words[i] = word.toString().getBytes(StandardCharsets.US_ASCII);
        }
        return words;
    }
}
