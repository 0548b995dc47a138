// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.server.care.CareSite;
import io.shredder.backup.server.nbd.Export;
import io.shredder.backup.server.reader.SnapshotReader;
import io.shredder.backup.server.recovery.ExportStatus.State;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One snapshot that is open, in a thread of its own; how it stands may be asked from any thread. */
final class RunningExport implements WorkList.Work {

    private static final Logger LOG = LoggerFactory.getLogger(RunningExport.class);

    /** How often it is looked whether its time is over. */
    private static final long LOOK_MS = 1_000;

    private final long number;
    private final ExportOrder order;
    private final CareSite site;
    private final Path socket;
    private final Instant until;
    private final Thread thread;

    private State state = State.OPENING;
    private Optional<String> uri = Optional.empty();
    private Optional<String> reason = Optional.empty();

    /** Why it is to close; empty if nobody has said so. */
    private Optional<String> closing = Optional.empty();

    /** @param socket where nobody else listens */
    RunningExport(long number, ExportOrder order, CareSite site, Path socket) {
        this.number = number;
        this.order = order;
        this.site = site;
        this.socket = socket;
        this.until = site.now().plus(order.hours(), ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS);
        this.thread = new Thread(this::run, "export-" + number);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        String problem = "it ended for a reason that the daemon's log has";
        try {
            serve();
            problem = "its time was over";
        } catch (IOException | RuntimeException e) {
            problem = CommandErrors.describe(e);
        } catch (InterruptedException e) {
            problem = "it was closed before it was open";
        } finally {
            end(problem);
        }
    }

    private void serve() throws IOException, InterruptedException {
        try (SnapshotReader reader = OpenSnapshots.open(site, order.image(), order.snapshot());
                Export export = Export.open(reader, socket)) {
            synchronized (this) {
                state = State.OPEN;
                uri = Optional.of(export.uri());
                LOG.info(
                        "{}@{} is open for {} until {}: {}",
                        order.image(),
                        order.snapshot(),
                        order.person(),
                        until,
                        uri);
                while (closing.isEmpty() && site.now().isBefore(until)) {
                    wait(LOOK_MS);
                }
            }
        }
    }

    private synchronized void end(String problem) {
        boolean wasOpen = state == State.OPEN;
        state = wasOpen || closing.isPresent() ? State.CLOSED : State.FAILED;
        uri = Optional.empty();
        reason = Optional.of(closing.orElse(problem));
        LOG.info("{}@{} for {} is not open: {}", order.image(), order.snapshot(), order.person(), reason.get());
    }

    /** Has it close; whether it ran. */
    synchronized boolean close(String why) {
        if (!runs()) {
            return false;
        }
        closing = Optional.of(why);
        if (state == State.OPENING) {
            thread.interrupt();
        }
        notifyAll();
        return true;
    }

    /** Waits until it has ended, but not for ever. */
    void await(Duration longest) throws InterruptedException {
        thread.join(longest.toMillis());
    }

    @Override
    public synchronized boolean runs() {
        return state == State.OPENING || state == State.OPEN;
    }

    synchronized ExportStatus status() {
        return new ExportStatus(number, order, state, until, uri, reason);
    }
}
