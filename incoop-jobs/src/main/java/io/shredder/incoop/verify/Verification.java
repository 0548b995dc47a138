// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.mapred.JobConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verification of all incremental jobs that this process submits, if it was started for that.
 *
 * <ol>
 *   <li>{@code incoop verify} starts the program in a process of its own, with {@link #arguments}.
 *   <li>Whenever the program submits a job, {@link #begin} makes a {@link JobCheck} of it: for {@code full} and
 *       {@code cold} its twin runs right then, while the input is still there, into a folder of its own.
 *   <li>{@link WatchedProtocol} sees the job end, before the program does, and has the check compare.
 *   <li>What it found goes to the report, a line a job, which {@code incoop verify} reads in the end.
 * </ol>
 */
public final class Verification {

    private static final Logger LOG = LoggerFactory.getLogger(Verification.class);
    private static final String MODE = "incoop.verify.mode";
    private static final String REPORT = "incoop.verify.report";

    private final VerifyMode mode;
    private final Path report;

    /** @param report a file on the local disk; findings are appended to it */
    public Verification(VerifyMode mode, Path report) {
        this.mode = mode;
        this.report = report;
    }

    /** That of this process; empty in all but those that {@code incoop verify} has started. */
    public static Optional<Verification> ofThisProcess() {
        String mode = System.getProperty(MODE);
        String report = System.getProperty(REPORT);
        return mode == null || report == null
                ? Optional.empty()
                : Optional.of(new Verification(VerifyMode.decode(mode), Path.of(report)));
    }

    /** What makes a Java process one that verifies. */
    public List<String> arguments() {
        return List.of("-D" + MODE + "=" + mode.encode(), "-D" + REPORT + "=" + report);
    }

    /**
     * Begins to verify a job.
     *
     * @param job its configuration before anything of ours is in it; may be given what the check needs
     * @param plainFramework where its twin runs
     * @return empty if it is a twin itself
     * @throws IOException if its twin fails
     */
    public Optional<JobCheck> begin(JobConf job, String plainFramework) throws IOException {
        if (TwinJob.is(job)) {
            return Optional.empty();
        }
        return Optional.of(
                switch (mode.kind()) {
                    case FULL -> OutputCheck.plain(job, plainFramework);
                    case COLD -> OutputCheck.cold(job);
                    case SAMPLE -> new SampleCheck(job, mode);
                });
    }

    /** Adds to the report. */
    synchronized void add(Finding finding) throws IOException {
        LOG.info("incoop: verify: {}", finding.text());
        Files.writeString(
                report,
                finding.encode() + System.lineSeparator(),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** All that was found so far. */
    public List<Finding> findings() throws IOException {
        try {
            return Files.readAllLines(report).stream().map(Finding::decode).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
