// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
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
 * Makes the next version of a text: at some places, spread over the whole of it, lines are rewritten, inserted, deleted
 * or moved. The same seed and input give the same output.
 */
@Command(
        name = "corpus-editor",
        mixinStandardHelpOptions = true,
        description = "Rewrites, inserts, deletes and moves lines at a few places of a text.")
public final class CorpusEditor implements Callable<Integer> {
    /**
     * What to do to a text.
     *
     * @param turns what happens at the first place, the second and so on, then the first again
     * @param places how many blocks of lines, one in each of as many equal parts of the text
     * @param fraction bytes of all blocks together, as a part of the text
     * @param seed of the choices
     * @param newLines where new lines come from
     */
    public record Plan(List<Edit> turns, int places, double fraction, long seed, NewLines newLines) {}

    private static final List<Edit> TURNS = List.of(Edit.REWRITE, Edit.INSERT, Edit.DELETE);
    private static final int PIECE_BYTES = 1 << 20;

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

    /** Rewrites, inserts and deletes lines of a text in turn. */
    public static void edit(Path in, Path out, int places, double fraction, long seed) throws IOException {
        edit(in, out, new Plan(TURNS, places, fraction, seed, NewLines.TEXT));
    }

    /** Writes the next version of {@code in} (less than 2 GiB) to {@code out}, which appears whole or not at all. */
    public static void edit(Path in, Path out, Plan plan) throws IOException {
        Path partial = Path.of(out + ".partial");
        try (var source = FileChannel.open(in);
                var target = FileChannel.open(
                        partial,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            new Run(source.map(MapMode.READ_ONLY, 0, source.size()), target, plan).editAll();
            target.force(true);
        }
        Files.move(partial, out, StandardCopyOption.ATOMIC_MOVE);
    }

    /** One pass over a text: the state of {@link #edit}. */
    private static final class Run {
        private final MappedByteBuffer text;
        private final FileChannel target;
        private final Plan plan;
        private final Random random;

        Run(MappedByteBuffer text, FileChannel target, Plan plan) {
            this.text = text;
            this.target = target;
            this.plan = plan;
            this.random = new Random(plan.seed());
        }

        /** Edits one block somewhere in each of the equal parts. */
        void editAll() throws IOException {
            int places = plan.places();
            int editBytes = (int) (text.limit() * plan.fraction() / places);
            int partBytes = text.limit() / places;
            int copied = 0;
            for (int place = 0; place < places; place++) {
                int from = lineStart(
                        Math.max(copied, place * partBytes + random.nextInt(Math.max(1, partBytes - 2 * editBytes))));
                int to = lineStart(Math.min(text.limit(), from + editBytes));
                copy(copied, from);
                int partEnd = place + 1 == places ? text.limit() : (place + 1) * partBytes;
                Edit edit = plan.turns().get(place % plan.turns().size());
                copied = apply(edit, from, to, Math.max(to, partEnd));
            }
            copy(copied, text.limit());
        }

        /** Writes what becomes of the lines in a range; returns where the text goes on unchanged. */
        private int apply(Edit edit, int from, int to, int partEnd) throws IOException {
            switch (edit) {
                case REWRITE -> rewrite(from, to);
                case INSERT -> {
                    insert(to - from);
                    return from;
                }
                case DELETE -> {}
                case MOVE -> {
                    int goal = lineStart(to + random.nextInt(partEnd - to + 1));
                    copy(to, goal);
                    copy(from, to);
                    return goal;
                }
            }
            return to;
        }

        /** Piece by piece, whole lines each. */
        private void rewrite(int from, int to) throws IOException {
            for (int start = from; start < to; ) {
                int end = lineStart(Math.min(to, start + PIECE_BYTES));
                byte[] lines = new byte[end - start];
                text.get(start, lines);
                write(plan.newLines().rewritten(lines, random));
                start = end;
            }
        }

        private void insert(int bytes) throws IOException {
            for (int left = bytes; left > 0; left -= PIECE_BYTES) {
                write(plan.newLines().lines(Math.min(left, PIECE_BYTES), random));
            }
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
