// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.shredder.it.backup.Contender.Invocation;
import io.shredder.it.corpus.Folders;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Has contenders do the same operations on the same images, one after the other and as many rounds as wanted.
 *
 * <p>Before each operation everything written so far is flushed to the disk. What the operation reads of the image, or
 * else of the repository, has been read once, so that it comes from memory for everybody as far as that suffices. Each
 * measurement is appended to a file of JSON lines at once. For one thread.
 */
public final class BackupLab {
    private final Children children;
    private final Path work;
    private final Sources sources;
    private final Set<Operation> wanted;
    private final ObjectMapper mapper = new ObjectMapper();
    private final List<Measured> measured = new ArrayList<>();
    private final boolean stages;

    /**
     * A lab without measurements.
     *
     * @param work folder for repositories, deleted round by round, logs and {@code measured.jsonl}
     * @param wanted operations to measure; those that they need are done, too
     */
    public BackupLab(Children children, Path work, Sources sources, Set<Operation> wanted) {
        this(children, work, sources, wanted, false);
    }

    /**
     * The same.
     *
     * @param stages whether the CPU time of threads by stage is measured, too, which takes some of a core
     */
    public BackupLab(Children children, Path work, Sources sources, Set<Operation> wanted, boolean stages) {
        this.children = children;
        this.work = work;
        this.sources = sources;
        this.wanted = wanted;
        this.stages = stages;
    }

    /** Everything measured so far. */
    public List<Measured> measured() {
        return List.copyOf(measured);
    }

    /** Hears of a contender that failed. */
    @FunctionalInterface
    public interface Failures {
        /** The contender does nothing more in this round. */
        void failed(String contender, IOException why);
    }

    /**
     * One round: each operation that is wanted or needed by such, in order, by all contenders one after the other, so
     * that what is compared lies close together in time.
     *
     * @param openers by name, in the order in which they begin; every other round the last comes first
     */
    public void round(int round, Map<String, Contender.Opener> openers, Failures failures)
            throws IOException, InterruptedException {
        List<Map.Entry<String, Contender.Opener>> contenders = new ArrayList<>(openers.entrySet());
        if (round % 2 == 0) {
            Collections.reverse(contenders);
        }
        Map<String, Contender> open = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, Contender.Opener> each : contenders) {
                String name = each.getKey();
                attempt(name, failures, () -> open.put(name, open(name, each.getValue())));
            }
            for (Operation operation : Operation.values()) {
                for (Contender contender : isNeeded(operation) ? List.copyOf(open.values()) : List.<Contender>of()) {
                    if (contender.operations().contains(operation)
                            && !attempt(contender.name(), failures, () -> keep(measure(contender, operation, round)))) {
                        contender.close();
                        open.remove(contender.name());
                    }
                }
            }
        } finally {
            open.values().forEach(Contender::close);
        }
        for (String name : openers.keySet()) {
            keepLogs(work.resolve(name), name, round);
            Folders.delete(work.resolve(name));
        }
    }

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** Whether it did not fail. */
    private static boolean attempt(String contender, Failures failures, Step step) throws InterruptedException {
        try {
            step.run();
            return true;
        } catch (IOException e) {
            failures.failed(contender, e);
            return false;
        }
    }

    private Contender open(String name, Contender.Opener opener) throws IOException, InterruptedException {
        Path folder = work.resolve(name);
        Folders.delete(folder);
        Files.createDirectories(folder);
        return opener.open(folder, sources);
    }

    /** All but reading the repository changes what later operations find. */
    private boolean isNeeded(Operation operation) {
        if (wanted.contains(operation)) {
            return true;
        }
        boolean changes = operation == Operation.FIRST || operation == Operation.CHANGED;
        return changes && wanted.stream().anyMatch(later -> later.compareTo(operation) > 0 && needs(later, operation));
    }

    private static boolean needs(Operation later, Operation earlier) {
        return earlier == Operation.FIRST || later != Operation.UNCHANGED;
    }

    private Measured measure(Contender contender, Operation operation, int round)
            throws IOException, InterruptedException {
        if (operation.compareTo(Operation.CHANGED) <= 0) {
            readWhole(sources.of(operation).resolve(Sources.FILE));
        } else {
            readFiles(contender.repository());
        }
        contender.prepare(operation);
        run("sync", new Invocation(work, List.of("sync")), Map.of(), work.resolve("sync.log"));
        Timed timed = time(contender, operation);
        if (operation.restores()) {
            compareRestored(contender);
        }
        long repositoryBytes = Folders.occupiedBytes(contender.repository());
        return new Measured(
                contender.name(),
                operation,
                round,
                timed.seconds(),
                sources.bytes(),
                timed.peakBytes(),
                repositoryBytes,
                timed.costs());
    }

    private record Timed(double seconds, long peakBytes, Costs costs) {}

    private Timed time(Contender contender, Operation operation) throws IOException, InterruptedException {
        Path log = work.resolve(contender.name()).resolve(operation.title() + ".log");
        List<Long> daemons = contender.daemons();
        try (PeakMemory memory = PeakMemory.of(daemons);
                StageTimes times = StageTimes.of(stages ? daemons : List.of())) {
            double daemonsBefore = daemonSeconds(daemons);
            double endedBefore = ProcessorTime.secondsOfEnded();
            long startNs = System.nanoTime();
            for (Invocation invocation : contender.commands(operation)) {
                Child child = start(contender.name(), invocation, contender.environment(), log);
                memory.watch(child.pid());
                if (stages) {
                    times.watchFromStart(child.pid());
                }
                child.waitForSuccess();
            }
            double seconds = (System.nanoTime() - startNs) / 1e9;
            var costs = new Costs(
                    ProcessorTime.secondsOfEnded() - endedBefore,
                    daemonSeconds(daemons) - daemonsBefore,
                    stages ? times.seconds() : Map.of(),
                    summary(log));
            return new Timed(seconds, memory.bytes(), costs);
        }
    }

    private static double daemonSeconds(List<Long> daemons) {
        return daemons.stream().mapToDouble(ProcessorTime::seconds).sum();
    }

    /** The last line of a log that is JSON; others print none. */
    private JsonNode summary(Path log) throws IOException {
        try (Stream<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines()) {
            Optional<String> last = lines.filter(line -> line.startsWith("{\"")).reduce((earlier, later) -> later);
            return last.isPresent() ? mapper.readTree(last.get()) : MissingNode.getInstance();
        }
    }

    private void compareRestored(Contender contender) throws IOException, InterruptedException {
        Path original = sources.second().resolve(Sources.FILE);
        var words = List.of("cmp", original.toString(), contender.restored().toString());
        run("cmp", new Invocation(work, words), Map.of(), work.resolve("cmp.log"));
        Files.delete(contender.restored());
    }

    private void keep(Measured one) throws IOException {
        measured.add(one);
        Files.writeString(
                work.resolve("measured.jsonl"),
                mapper.writeValueAsString(one.json()) + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        System.err.printf(
                Locale.ROOT,
                "measured: %-10s %-9s %7.2f s %7.0f MB/s, %5.0f MB resident, repository %6.0f MB%n",
                one.contender(),
                one.operation().title(),
                one.seconds(),
                one.megabytesPerSecond(),
                one.peakBytes() / 1e6,
                one.repositoryBytes() / 1e6);
    }

    private void keepLogs(Path folder, String name, int round) throws IOException {
        Path logs = Files.createDirectories(work.resolve("logs").resolve(name + "-" + round));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path log :
                    files.filter(file -> file.toString().endsWith(".log")).toList()) {
                Files.copy(log, logs.resolve(log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static void readFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                readWhole(file);
            }
        }
    }

    private static void readWhole(Path file) throws IOException {
        byte[] piece = new byte[1 << 20];
        try (InputStream in = Files.newInputStream(file)) {
            while (in.read(piece) >= 0) {
                // only to have it in memory
            }
        }
    }

    private void run(String name, Invocation invocation, Map<String, String> environment, Path log)
            throws IOException, InterruptedException {
        start(name, invocation, environment, log).waitForSuccess();
    }

    private Child start(String name, Invocation invocation, Map<String, String> environment, Path log)
            throws IOException, InterruptedException {
        return children.start(new Command(name, invocation.words(), environment, invocation.folder(), log));
    }
}
