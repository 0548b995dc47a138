// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.figures.Bar;
import io.shredder.it.open.OpenChoice;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import io.shredder.it.programs.NativePrograms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a {@link BarSet} measures with: the checkout, programs to run, and the list of bars, printed as they come. */
final class Measuring {
    private final Path root;
    private final Path nativeBuild;
    private final boolean gpu;
    private final long inputBytes;
    private final Choices choices;
    private final Children children;
    private final List<Bar> bars = new ArrayList<>();

    /**
     * What was asked for of the sets that measure in parts.
     *
     * @param only the names of parts, of sets that need no more than these; none means all
     */
    record Choices(
            BackupChoice backup,
            ExactChoice exact,
            TrustChoice trust,
            ScaleChoice scale,
            OpenChoice open,
            List<String> only) {}

    Measuring(Path root, Path nativeBuild, boolean gpu, long inputBytes, Choices choices, Children children) {
        this.root = root;
        this.nativeBuild = nativeBuild;
        this.gpu = gpu;
        this.inputBytes = inputBytes;
        this.choices = choices;
        this.children = children;
    }

    /** The checkout. */
    Path root() {
        return root;
    }

    /** Whether bars that need a GPU are asked for. */
    boolean gpu() {
        return gpu;
    }

    /** How large an input to make, where a set makes one. */
    long inputBytes() {
        return inputBytes;
    }

    /** What of the backup bars to measure. */
    BackupChoice backup() {
        return choices.backup();
    }

    /** How much of the search for differences to run. */
    ExactChoice exact() {
        return choices.exact();
    }

    /** Which of the bars of trust to try, and how often. */
    TrustChoice trust() {
        return choices.trust();
    }

    /** What of the bars of scale to measure, and on what. */
    ScaleChoice scale() {
        return choices.scale();
    }

    /** What to open backups with. */
    OpenChoice open() {
        return choices.open();
    }

    /** Whether a part of a set is to be measured. */
    boolean has(String part) {
        return choices.only().isEmpty() || choices.only().contains(part);
    }

    /** A CMake build of {@code shredder-native/native}. */
    Path nativeBuild() {
        return nativeBuild;
    }

    /** The measuring programs of that build. */
    NativePrograms programs() {
        return new NativePrograms(nativeBuild, root.resolve("target").resolve("bars"), children);
    }

    /** Starts programs that end with this one. */
    Children children() {
        return children;
    }

    /** Records a bar and prints its line. */
    void record(Bar bar) {
        bars.add(bar);
        System.out.println(bar.line());
    }

    List<Bar> bars() {
        return List.copyOf(bars);
    }

    /** Measures something and records its bars. */
    @FunctionalInterface
    interface Step {
        void measure() throws IOException, InterruptedException;
    }

    /** Runs a step; one that can't be measured though it should be fails the bar of that name, and the others go on. */
    void attempt(String name, Step step) throws InterruptedException {
        try {
            step.measure();
        } catch (IOException e) {
            record(Bar.holds(name, false, String.valueOf(e.getMessage()), "a figure"));
        }
    }

    /** A program's exit code and what it printed. */
    record Outcome(int exitCode, String text) {
        boolean succeeded() {
            return exitCode == 0;
        }

        /** The last line that isn't blank, or what the exit code says. */
        String lastLine() {
            return text.lines()
                    .filter(line -> !line.isBlank())
                    .reduce((earlier, later) -> later)
                    .orElse("exit code " + exitCode)
                    .strip();
        }
    }

    /** Runs a program in the checkout, its output in {@code target/bars/NAME.log}. */
    Outcome run(String name, String... words) throws IOException, InterruptedException {
        Path log = root.resolve("target").resolve("bars").resolve(name + ".log");
        Files.deleteIfExists(log);
        System.err.println("measuring: " + String.join(" ", words) + "  (target/bars/" + name + ".log)");
        Child child = children.start(new Command(name, List.of(words), Map.of(), root, log));
        int exitCode = child.waitFor();
        return new Outcome(exitCode, Files.readString(log, StandardCharsets.UTF_8));
    }
}
