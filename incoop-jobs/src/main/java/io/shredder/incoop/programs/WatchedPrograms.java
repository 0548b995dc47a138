// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The programs that one map starts, each of which runs under {@link ChildWatch}. Safe for use by several threads. */
public final class WatchedPrograms {

    private static final Logger LOG = LoggerFactory.getLogger(WatchedPrograms.class);

    /** A program may outlive the code that started it for a moment; child-watch gives its descendants 3 s. */
    private static final long LONGEST_WAIT_MS = 15_000;

    private static final long BETWEEN_LOOKS_MS = 2;
    private static final String PATH_OF_NO_PATH = ":/bin:/usr/bin";

    private final List<Path> reports = new ArrayList<>();

    /** What there is to say of programs that have ended. */
    public interface Witness {

        /** Whether a file may be another one in the next run of the job. */
        boolean counts(Path file);

        /** A program has asked for a file that counts, or was given its environment. */
        void asked(String dependency);

        /** It can't be told any more what a program has been given. */
        void lost(String reason);

        /** A program did, or was about to do, what only a plain run may; completes "a program that it started ". */
        void plain(String reason);
    }

    /**
     * Has a program watched.
     *
     * @param command the program and its arguments
     * @return the command to be started instead
     * @throws IOException if it can't be watched here
     */
    public String[] watch(String[] command) throws IOException {
        Path program = ChildWatch.program();
        Path report = Files.createTempFile("incoop-child", ".report");
        synchronized (reports) {
            reports.add(report);
        }
        List<String> watched = new ArrayList<>();
        watched.add(program.toString());
        watched.add(report.toString());
        watched.add(Optional.ofNullable(System.getenv("PATH")).orElse(PATH_OF_NO_PATH));
        watched.addAll(List.of(command));
        return watched.toArray(String[]::new);
    }

    /** Whether any program was watched of which nothing has been told yet. */
    public boolean areSome() {
        synchronized (reports) {
            return !reports.isEmpty();
        }
    }

    /** Waits until all programs that were watched have ended, and tells what they were seen doing. */
    public void tell(Witness witness) {
        List<Path> ended;
        synchronized (reports) {
            ended = List.copyOf(reports);
            reports.clear();
        }
        if (!ended.isEmpty()) {
            witness.asked(ProgramStates.environment());
        }
        Set<SeenFile> told = new LinkedHashSet<>();
        for (Path report : ended) {
            try {
                tell(report, witness, told);
            } catch (IOException | RuntimeException e) {
                LOG.debug("a report that can't be read", e);
                witness.lost(String.valueOf(e.getMessage()));
            }
        }
    }

    private static void tell(Path file, Witness witness, Set<SeenFile> told) throws IOException {
        ChildReport report;
        try {
            report = await(file);
        } finally {
            Files.deleteIfExists(file);
        }
        if (report.plainReason().isPresent()) {
            witness.plain(report.plainReason().get());
            return;
        }
        if (!report.hasEnded()) {
            end(report.process());
            witness.plain("still runs when its map has ended, or could not be watched to its end");
            return;
        }
        for (SeenFile seen : report.files()) {
            if (told.add(seen)) {
                tell(seen, witness);
            }
        }
    }

    private static void tell(SeenFile seen, Witness witness) throws IOException {
        if (!seen.isUnchanged()) {
            witness.lost(seen.path() + " has changed while a program that it started ran");
        } else if (witness.counts(seen.path())) {
            Optional<String> name = ProgramStates.name(seen);
            if (name.isPresent()) {
                witness.asked(name.get());
            } else {
                witness.lost(
                        "a program that it started asks for " + seen.path() + ", where other containers' files lie");
            }
        }
    }

    private static ChildReport await(Path file) throws IOException {
        long deadline = System.nanoTime() + LONGEST_WAIT_MS * 1_000_000L;
        ChildReport report = ChildReport.read(file);
        while (!report.hasEnded() && System.nanoTime() < deadline) {
            if (!isAlive(report.process())) {
                // It may have written its last line just before it ended.
                return ChildReport.read(file);
            }
            pause();
            report = ChildReport.read(file);
        }
        return report;
    }

    private static boolean isAlive(OptionalLong process) {
        // One that has not begun yet may do so.
        return process.isEmpty()
                || ProcessHandle.of(process.getAsLong())
                        .map(ProcessHandle::isAlive)
                        .orElse(false);
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(BETWEEN_LOOKS_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void end(OptionalLong process) {
        if (process.isPresent()) {
            ProcessHandle.of(process.getAsLong()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
