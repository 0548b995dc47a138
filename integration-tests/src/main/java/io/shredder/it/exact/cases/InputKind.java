// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact.cases;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/** Kinds of input: how a record is made, how records become a file, and for what records the file is uploaded. */
public enum InputKind {
    /** Lines of words; some are empty. */
    LINES("text") {
        @Override
        public String record(Random random) {
            return random.nextInt(40) == 0 ? "" : words(random);
        }
    },
    /** A word, a tabulator and more words. */
    KEY_VALUES("text") {
        @Override
        public String record(Random random) {
            return word(random) + "\t" + words(random);
        }
    },
    /** Two whole numbers a line. */
    NUMBERS("text") {
        @Override
        public String record(Random random) {
            return random.nextInt(2000) + " " + random.nextInt(1_000_000);
        }

        @Override
        public int records() {
            return 24_000;
        }
    },
    /** Lines of which some have 100,000 bytes. */
    HUGE_LINES("text") {
        @Override
        public String record(Random random) {
            return random.nextInt(60) == 0 ? words(random) + "x".repeat(100_000) : words(random);
        }

        @Override
        public int records() {
            return 600;
        }
    },
    /** Rows of 100 bytes, laid out as TeraGen's. */
    TERA("raw") {
        @Override
        public String record(Random random) {
            StringBuilder row = new StringBuilder(100);
            for (int i = 0; i < 10; i++) {
                row.append((char) (' ' + random.nextInt(95)));
            }
            row.append("\u0000\u0011").append(String.format("%032X", random.nextLong() & Long.MAX_VALUE));
            row.append("\u0088\u0099\u00aa\u00bb");
            for (int i = 0; i < 12; i++) {
                row.append(Integer.toHexString(random.nextInt(16)).repeat(4));
            }
            return row.append("\u00cc\u00dd\u00ee\u00ff").toString();
        }

        @Override
        public int records() {
            return 3000;
        }

        @Override
        public void write(List<String> records, Path file) throws IOException {
            InputFiles.writeText(file, records, "");
        }
    },
    /** A SequenceFile of texts and texts, no key twice. */
    SEQUENCE("sequencefile") {
        @Override
        public String record(Random random) {
            return Long.toHexString(random.nextLong()) + "\t" + words(random);
        }

        @Override
        public void write(List<String> records, Path file) throws IOException {
            InputFiles.writeSequenceFile(file, records);
        }
    },
    /** Two folders of one SequenceFile each, sorted by its keys; none comes twice in a file, many are in both. */
    SORTED_SEQUENCES("sequencefile") {
        @Override
        public String record(Random random) {
            return "k" + random.nextInt(3000) + "\t" + words(random);
        }

        @Override
        public void write(List<String> records, Path file) throws IOException {
            var byKey = new TreeMap<String, String>();
            records.forEach(record -> byKey.put(InputFiles.key(record).toString(), record));
            InputFiles.writeSequenceFile(file, List.copyOf(byKey.values()));
        }
    },
    /** An Avro file of strings. */
    AVRO("avro") {
        @Override
        public String record(Random random) {
            return words(random);
        }

        @Override
        public void write(List<String> records, Path file) throws IOException {
            InputFiles.writeAvro(file, records);
        }
    };

    private static final int VOCABULARY = 400;

    private final String inputFormat;

    InputKind(String inputFormat) {
        this.inputFormat = inputFormat;
    }

    /** What {@code -inputFormat} of the upload is. */
    public String inputFormat() {
        return inputFormat;
    }

    /** Whether a record is a line. */
    public boolean isLines() {
        return inputFormat.equals("text");
    }

    /** A new record; characters stand for bytes. */
    public abstract String record(Random random);

    /** How many records make an input of about 300 KB. */
    public int records() {
        return 6000;
    }

    /** Writes a local file. */
    public void write(List<String> records, Path file) throws IOException {
        InputFiles.writeText(file, records, "\n");
    }

    private static String word(Random random) {
        return "w" + (int) (VOCABULARY * random.nextDouble() * random.nextDouble());
    }

    private static String words(Random random) {
        StringBuilder line = new StringBuilder(word(random));
        for (int more = 5 + random.nextInt(10); more > 0; more--) {
            line.append(' ').append(word(random));
        }
        return line.toString();
    }
}
