// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.figures.Row;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import io.shredder.it.programs.NativePrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Other people's chunkers and digests, built by {@code tools/peers/build.sh} where their toolchains are.
 *
 * @param folder with their programs, or with a line each that says why not
 * @param programs runs them
 */
public record Peers(Path folder, NativePrograms programs) {
    /** The program of those that are written in Rust. */
    public static final String RUST = "rust";

    /** The program of those that are written in Go. */
    public static final String GO = "go";

    private static final List<String> LANGUAGES = List.of(RUST, GO);

    /** Sizes of chunks in bytes; min 0: no limits. */
    public record Sizes(long average, long min, long max) {}

    /** The peers in a folder, built first from a checkout that has their sources. */
    public static Peers in(Path folder, Path checkout, NativePrograms programs, Children children)
            throws IOException, InterruptedException {
        Path build = checkout.resolve("tools").resolve("peers").resolve("build.sh");
        if (Files.isExecutable(build)) {
            children.run(new Command(
                    "peers-build",
                    List.of(build.toString(), folder.toString()),
                    Map.of(),
                    checkout,
                    programs.logs().resolve("peers-build.log")));
        }
        return new Peers(folder, programs);
    }

    /** Why peers are missing, a line each. */
    public List<String> missing() throws IOException {
        var reasons = new ArrayList<String>();
        for (String language : LANGUAGES) {
            Path reason = folder.resolve(language + ".missing");
            if (!Files.isExecutable(folder.resolve(language))) {
                reasons.add("peers in " + language + ": "
                        + (Files.exists(reason) ? Files.readString(reason).strip() : "no " + folder.resolve(language)));
            }
        }
        return reasons;
    }

    /** Runs every peer that is there on the first bytes of a file. */
    public List<Row> run(Path file, long bytes, Sizes sizes, int rounds) throws IOException, InterruptedException {
        var rows = new ArrayList<Row>();
        for (String language : LANGUAGES) {
            rows.addAll(run(language, file, bytes, sizes, rounds));
        }
        return rows;
    }

    /** Runs those of one language; none where its program is missing. */
    public List<Row> run(String language, Path file, long bytes, Sizes sizes, int rounds)
            throws IOException, InterruptedException {
        Path program = folder.resolve(language);
        if (!Files.isExecutable(program)) {
            return List.of();
        }
        var words = new ArrayList<>(List.of(program.toString(), file.toString()));
        for (long number : new long[] {bytes, sizes.average(), sizes.min(), sizes.max(), rounds}) {
            words.add(Long.toString(number));
        }
        return programs.run("peers-" + language, Map.of(), words).rows();
    }

    /**
     * How many bytes of a later file lie in chunks of restic's chunker that an earlier file has, too: members
     * {@code bytes}, {@code chunks} and {@code sharedBytes}. Empty where the program is missing.
     */
    public Optional<Row> shared(Path earlier, Path later, Sizes sizes) throws IOException, InterruptedException {
        Path program = folder.resolve(GO);
        if (!Files.isExecutable(program)) {
            return Optional.empty();
        }
        var words = new ArrayList<>(List.of(program.toString(), "share", earlier.toString(), later.toString()));
        for (long number : new long[] {sizes.average(), sizes.min(), sizes.max()}) {
            words.add(Long.toString(number));
        }
        return programs.run("peers-share", Map.of(), words).rows().stream().findFirst();
    }
}
