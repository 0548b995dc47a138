// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import io.shredder.backup.schedule.RatePlan;
import io.shredder.backup.schedule.RunTimes;
import io.shredder.backup.schedule.Timetable;
import io.shredder.backup.server.machine.BootTest;
import io.shredder.backup.server.machine.MachineOptions;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Care of what is kept, at times of its own.
 *
 * @param name in logs, metrics and messages; no job has the same
 * @param times when
 * @param bandwidth bytes a second that it exchanges with agents
 * @param work what is done
 */
public record CareConfig(String name, RunTimes times, RatePlan bandwidth, Work work) {

    /** What is done. */
    public sealed interface Work permits Verify, Copy, Boot, Prune {

        /** In words, for people. */
        String words();
    }

    /** When; empty for what only commands start. */
    public Optional<Timetable> timetable() {
        return times.timetable();
    }

    /**
     * The agent reads and digests a part of all that it keeps, where the run before it ended.
     *
     * @param allIn all is to be read once in so long
     */
    public record Verify(Duration allIn) implements Work {
        @Override
        public String words() {
            return "verifies all in " + allIn.toHours() + " h";
        }
    }

    /**
     * Snapshots that a second agent lacks go there.
     *
     * @param to where it listens
     * @param tls who this site is there, and whom it believes
     */
    public record Copy(HostPort to, TlsFiles tls) implements Work {
        @Override
        public String words() {
            return "copies all to " + to;
        }
    }

    /**
     * Snapshots that no rule of their job keeps are deleted.
     *
     * @param tls who does it: a client with the right to
     * @param jobs whose images, by name, and what their rules keep
     * @param mostNew more snapshots of one image within a day may be an attack that pushes good ones out
     * @param collect whether the agent then gives the space back at once
     */
    public record Prune(TlsFiles tls, List<JobConfig> jobs, int mostNew, boolean collect) implements Work {

        /** {@code mostNew} where nobody said otherwise. */
        public static final int USUAL_MOST_NEW = 100;

        /** Keeps a copy. */
        public Prune {
            jobs = List.copyOf(jobs);
        }

        @Override
        public String words() {
            return "deletes what no rule keeps of "
                    + String.join(", ", jobs.stream().map(JobConfig::name).toList());
        }
    }

    /**
     * A throw-away machine starts from the latest snapshot of each image.
     *
     * @param images at least one
     * @param machine what it is like
     * @param signs of life, one of which is waited for
     * @param pictures folder for a picture of each screen, {@code IMAGE.png}
     */
    public record Boot(List<SnapshotName> images, MachineOptions machine, BootTest.Signs signs, Optional<Path> pictures)
            implements Work {

        /** Keeps a copy. */
        public Boot {
            images = List.copyOf(images);
        }

        @Override
        public String words() {
            return "starts machines from "
                    + String.join(", ", images.stream().map(SnapshotName::value).toList());
        }
    }
}
