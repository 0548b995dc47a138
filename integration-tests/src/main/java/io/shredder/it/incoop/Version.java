// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.incoop;

import io.shredder.it.corpus.BirchPoints;
import io.shredder.it.corpus.CorpusEditor;
import io.shredder.it.corpus.Edit;
import io.shredder.it.corpus.NewLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How a version of an input differs from the first.
 *
 * @param percent of the first one's bytes that are rewritten, inserted, deleted or moved; 0: it is the first one
 * @param style what happens to them
 * @param places in so many blocks, each somewhere in one of as many equal parts
 */
public record Version(double percent, Style style, int places) {
    /** What happens to blocks. */
    public enum Style {
        REWRITE,
        INSERT,
        DELETE,
        MOVE,
        /** One after the other. */
        MIXED;

        List<Edit> turns() {
            return this == MIXED ? List.of(Edit.values()) : List.of(Edit.valueOf(name()));
        }

        /**
         * The style of a name.
         *
         * @throws IllegalArgumentException naming those there are
         */
        public static Style of(String name) {
            return Arrays.stream(values())
                    .filter(style -> style.title().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no edit '" + name + "'; there are: " + titles()));
        }

        /** All names. */
        public static String titles() {
            return String.join(", ", Arrays.stream(values()).map(Style::title).toList());
        }

        /** The name in tables and on command lines. */
        public String title() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final long SEED = 2011;

    /** Writes the version of a file to another one; versions that differ in anything have no edit in common. */
    public void write(Path first, Path target, JobKind.Data data) throws IOException {
        NewLines lines = data == JobKind.Data.POINTS ? BirchPoints.NEW_LINES : NewLines.TEXT;
        CorpusEditor.edit(
                first, target, new CorpusEditor.Plan(style.turns(), places, percent / 100, SEED + hashCode(), lines));
    }

    /** A name for folders. */
    public String title() {
        return String.format(Locale.ROOT, "%s-%s-%d", Double.toString(percent), style.title(), places);
    }
}
