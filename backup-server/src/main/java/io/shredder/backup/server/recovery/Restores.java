// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import io.shredder.backup.server.care.CareSite;
import io.shredder.backup.server.history.DaemonHistory;
import io.shredder.backup.server.history.RestoreOutcome;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores that people have asked for at the console: two at once, each in a thread {@code restore-N}, and how the last
 * ones ended. Thread-safe.
 */
public final class Restores implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Restores.class);
    private static final int MOST_REMEMBERED = 50;
    private static final int MOST_AT_ONCE = 2;
    private static final Duration LONGEST_END = Duration.ofSeconds(20);

    private final Optional<RestoreFolder> folder;
    private final FutureTask<Boolean> cleared;
    private final Thread clearing;
    private final Supplier<CareSite> site;
    private final DaemonHistory history;
    private final WorkList<RunningRestore> all = new WorkList<>(MOST_REMEMBERED);
    private boolean closed;

    /**
     * Has what a daemon that was killed left in the folder removed, in a thread {@code restore-clear}: restores wait
     * for that, the daemon doesn't.
     *
     * @param folder to which people restore
     * @param site as the configuration that is used now has it
     * @param history is told of each outcome
     */
    public Restores(Optional<Path> folder, Supplier<CareSite> site, DaemonHistory history) {
        this.folder = folder.map(RestoreFolder::new);
        this.site = site;
        this.history = history;
        this.cleared = new FutureTask<>(() -> this.folder.ifPresent(RestoreFolder::clear), true);
        this.clearing = new Thread(cleared, "restore-clear");
        clearing.setDaemon(true);
        clearing.start();
    }

    /** The folder, once nobody else's left-overs are in it. */
    private RestoreFolder clearFolder() throws IOException {
        try {
            cleared.get();
            return folder.orElseThrow();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the folder was cleared", e);
        } catch (ExecutionException e) {
            throw new IOException("the folder could not be cleared: " + e.getCause(), e);
        }
    }

    /** Why a restore can't begin now; empty if it can. */
    public synchronized Optional<String> refusal(RestoreOrder order) {
        List<RunningRestore> running = all.running();
        if (folder.isEmpty()) {
            return Optional.of("nobody restores here: 'console.restore-to' names no folder");
        } else if (closed) {
            return Optional.of("the daemon is about to end");
        } else if (running.stream().anyMatch(each -> each.status().order().to().equals(order.to()))) {
            return Optional.of("a restore to '" + order.to() + "' runs already: give another name");
        } else if (running.size() >= MOST_AT_ONCE) {
            return Optional.of(MOST_AT_ONCE + " restores run already: wait for one, or stop it");
        }
        return Optional.empty();
    }

    /**
     * Begins one.
     *
     * @return its number
     * @throws IllegalStateException if that was refused
     */
    public synchronized long start(RestoreOrder order) {
        Optional<String> refused = refusal(order);
        if (refused.isPresent()) {
            throw new IllegalStateException(refused.get());
        }
        RunningRestore restore =
                all.add(number -> new RunningRestore(number, order, site.get(), this::clearFolder, this::note));
        restore.start();
        return restore.status().number();
    }

    /** The outcome goes to the history and the log. */
    private void note(RestoreStatus status) {
        RestoreOrder order = status.order();
        String what = order.image() + "@" + order.snapshot() + " to " + order.to() + " for " + order.person();
        if (status.error().isPresent()) {
            LOG.warn("the restore of {} ended: {}", what, status.error().get());
        } else {
            LOG.info("restored {}, {} bytes", what, status.writtenBytes());
        }
        history.restored(new RestoreOutcome(
                order.person(),
                order.image().value(),
                order.snapshot(),
                order.to(),
                status.writtenBytes(),
                status.elapsed(),
                status.error()));
    }

    /** How it stands; empty if there is none of that number any more. */
    public Optional<RestoreStatus> status(long number) {
        return all.find(number).map(RunningRestore::status);
    }

    /** Newest first. */
    public List<RestoreStatus> status() {
        return all.newestFirst().stream().map(RunningRestore::status).toList();
    }

    /** Has one end; whether it ran. */
    public boolean stop(long number) {
        return all.find(number).map(RunningRestore::stop).orElse(false);
    }

    /** Has all end, and waits until they have removed what they wrote. */
    @Override
    public void close() {
        List<RunningRestore> running;
        synchronized (this) {
            closed = true;
            running = all.newestFirst().stream().filter(RunningRestore::stop).toList();
        }
        try {
            clearing.join(LONGEST_END.toMillis());
            for (RunningRestore each : running) {
                each.await(LONGEST_END);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
