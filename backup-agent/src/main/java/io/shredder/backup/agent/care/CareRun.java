// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.care;

import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.schedule.Planned;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of care. It ends between two steps: an interrupt would close files that sessions have open, so its thread gets
 * none.
 */
abstract class CareRun implements Planned.Run {

    private static final Logger LOG = LoggerFactory.getLogger(CareRun.class);

    /** A pace is waited for in pieces of this, each of a second at most. */
    private static final long PIECE_BYTES = Pace.MIN_BYTES_PER_SECOND;

    private final String name;
    private final CareFigures figures;
    private volatile boolean ended;

    CareRun(String name, CareFigures figures) {
        this.name = name;
        this.figures = figures;
    }

    /** Does it; returns whether all was well. */
    abstract boolean take() throws IOException;

    @Override
    public final boolean run() {
        try {
            return take();
        } catch (IOException | RuntimeException e) {
            LOG.error("care {}: {}", name, CommandErrors.describe(e));
            return false;
        }
    }

    @Override
    public final void end(Thread runner, Optional<String> why) {
        ended = true;
    }

    @Override
    public final Duration stillFor() {
        return Duration.ZERO;
    }

    final boolean isEnded() {
        return ended;
    }

    final String name() {
        return name;
    }

    /** A figure of this care. */
    final void set(String figure, long value) {
        figures.set(name, figure, value);
    }

    /** Waits until so many bytes may go; less long if the run is to end. */
    final void holdBack(Pace pace, long bytes) {
        for (long left = bytes; left > 0 && !ended; left -= PIECE_BYTES) {
            pace.take(Math.min(left, PIECE_BYTES));
        }
    }
}
