// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Makes the next version of a text: at some places, spread over the whole of it, lines are rewritten, inserted or deleted.
 * The same seed and input give the same output.
 */
@Command(
        name = "corpus-editor",
        mixinStandardHelpOptions = true,
        description = "Rewrites, inserts and deletes lines at a few places of a text.")
public final class CorpusEditor implements Callable<Integer> {
    /** What happens at one place; the places take turns. */
    private enum Edit {
        REWRITE,
        INSERT,
        DELETE
    }

    private static final List<Edit> TURNS = List.of(Edit.REWRITE, Edit.INSERT, Edit.DELETE);

    @Parameters(index = "0", paramLabel = "IN", description = "the text, less than 2 GiB")
    private Path in;

    @Parameters(index = "1", paramLabel = "OUT", description = "its next version")
    private Path out;

    @Option(names = "--places", defaultValue = "9", description = "places edited (default ${DEFAULT-VALUE})")
    private int places;

    @Option(
            names = "--fraction",
            defaultValue = "0.01",
            description = "bytes edited in all, as a part of the text (default ${DEFAULT-VALUE})")
    private double fraction;

    @Option(names = "--seed", defaultValue = "1", description = "seed of the choices (default ${DEFAULT-VALUE})")
    private long seed;

    public static void main(String[] args) {
        System.exit(new CommandLine(new CorpusEditor()).execute(args));
    }

    @Override
    public Integer call() throws IOException {
        edit(in, out, places, fraction, seed);
        return 0;
    }

    /** Writes the next version of {@code in} to {@code out}, which appears whole or not at all. */
    public static void edit(Path in, Path out, int places, double fraction, long seed) throws IOException {
        Path partial = Path.of(out + ".partial");
        try (var source = FileChannel.open(in);
                var target = FileChannel.open(
                        partial,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            var run = new Run(source.map(MapMode.READ_ONLY, 0, source.size()), target, new Random(seed));
            run.editAll(places, (int) (source.size() * fraction / places));
            target.force(true);
        }
        Files.move(partial, out, StandardCopyOption.ATOMIC_MOVE);
    }

    /** One pass over a text: the state of {@link #edit}. */
    private static final class Run {
        private final MappedByteBuffer text;
        private final FileChannel target;
        private final Random random;

        Run(MappedByteBuffer text, FileChannel target, Random random) {
            this.text = text;
            this.target = target;
            this.random = random;
        }

        /** Edits one place of about {@code editBytes} somewhere in each of {@code places} equal parts. */
        void editAll(int places, int editBytes) throws IOException {
            int partBytes = text.limit() / places;
            int copied = 0;
            for (int place = 0; place < places; place++) {
                int from = lineStart(
                        Math.max(copied, place * partBytes + random.nextInt(Math.max(1, partBytes - 2 * editBytes))));
                int to = lineStart(Math.min(text.limit(), from + editBytes));
                copy(copied, from);
                copied = apply(TURNS.get(place % TURNS.size()), from, to);
            }
            copy(copied, text.limit());
        }

        /** Writes what becomes of the lines in a range; returns where the text goes on unchanged. */
        private int apply(Edit edit, int from, int to) throws IOException {
            switch (edit) {
                case REWRITE -> write(rewritten(from, to));
                case INSERT -> {
                    write(newLines(to - from));
                    return from;
                }
                case DELETE -> {}
            }
            return to;
        }

        /** The range with every letter replaced by its neighbour in the alphabet, and each line a little longer. */
        private byte[] rewritten(int from, int to) {
            var changed = new StringBuilder(to - from);
            for (int i = from; i < to; i++) {
                char c = (char) (text.get(i) & 0xff);
                if (c == '\n') {
                    changed.append(" /").append(random.nextInt(10));
                }
                changed.append(Character.isLetter(c) && c < 'z' ? (char) (c + 1) : c);
            }
            return changed.toString().getBytes(StandardCharsets.ISO_8859_1);
        }

        private byte[] newLines(int bytes) {
            var lines = new StringBuilder(bytes + 80);
            while (lines.length() < bytes) {
                lines.append("inserted ").append(Long.toString(random.nextLong(), 36));
                lines.append(random.nextInt(6) == 0 ? '\n' : ' ');
            }
            return lines.append('\n').toString().getBytes(StandardCharsets.US_ASCII);
        }

        /** The first position at or after {@code position} that starts a line, or the text's end. */
        private int lineStart(int position) {
            int start = position;
            while (start > 0 && start < text.limit() && text.get(start - 1) != '\n') {
                start++;
            }
            return start;
        }

        private void copy(int from, int to) throws IOException {
            write(text.slice(from, to - from));
        }

        private void write(byte[] bytes) throws IOException {
            write(ByteBuffer.wrap(bytes));
        }

        private void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                target.write(bytes);
            }
        }
    }
}
