// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.care.CareSite;
import io.shredder.backup.server.recovery.RestoreStatus.State;
import io.shredder.backup.server.restore.RestoreSession;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.targets.FileTarget;
import io.shredder.backup.server.trust.ProvedSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** One restore, in a thread of its own, which an interrupt ends; how it stands may be asked from any thread. */
final class RunningRestore implements WorkList.Work {

    /** Backups go on beside it. */
    private static final int MOST_CORES = 4;

    private final long number;
    private final RestoreOrder order;
    private final CareSite site;
    private final Folder folder;
    private final Thread thread;
    private final long beganNs = System.nanoTime();

    private Optional<RestoreSession> session = Optional.empty();
    private long imageBytes;
    private State state = State.RUNNING;
    private Optional<String> error = Optional.empty();
    private Duration took = Duration.ZERO;
    private boolean stopping;

    /** Where restores go, once that is ready. */
    @FunctionalInterface
    interface Folder {
        RestoreFolder get() throws IOException;
    }

    /** @param whenEnded is told in the end, in the restore's thread */
    RunningRestore(long number, RestoreOrder order, CareSite site, Folder folder, Consumer<RestoreStatus> whenEnded) {
        this.number = number;
        this.order = order;
        this.site = site;
        this.folder = folder;
        this.thread = new Thread(() -> run(whenEnded), "restore-" + number);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run(Consumer<RestoreStatus> whenEnded) {
        Optional<String> problem = Optional.of("it ended for a reason that the daemon's log has");
        try {
            restore();
            problem = Optional.empty();
        } catch (IOException | RuntimeException e) {
            problem = Optional.of(CommandErrors.describe(e));
        } finally {
            end(problem);
            whenEnded.accept(status());
        }
    }

    private void restore() throws IOException {
        Path file = folder.get().file(order.to());
        RepositoryKey key = site.key();
        Cores cores = Cores.all().upTo(MOST_CORES);
        try (FileTarget target = new FileTarget(file, false, true, cores.opening(false));
                AgentClient agent = site.connect()) {
            ProvedSnapshot proved =
                    site.find(agent, key, new SnapshotChoice(order.image(), OptionalLong.of(order.snapshot())));
            WholeSnapshots.check(proved);
            long length = proved.info().imageBytes();
            target.expect(length);
            RestoreSession restoring = new RestoreSession(agent, key, cores);
            synchronized (this) {
                imageBytes = length;
                session = Optional.of(restoring);
            }
            restoring.run(proved.info(), target);
        }
    }

    private synchronized void end(Optional<String> problem) {
        took = Duration.ofNanos(System.nanoTime() - beganNs);
        if (problem.isEmpty()) {
            state = State.DONE;
        } else {
            state = stopping ? State.STOPPED : State.FAILED;
            error = stopping ? Optional.of("it was stopped") : problem;
        }
    }

    /** Has it end; what is written so far is removed. Whether it ran. */
    synchronized boolean stop() {
        if (state != State.RUNNING) {
            return false;
        }
        stopping = true;
        thread.interrupt();
        return true;
    }

    /** Waits until it has ended, but not for ever. */
    void await(Duration longest) throws InterruptedException {
        thread.join(longest.toMillis());
    }

    @Override
    public boolean runs() {
        return status().state() == State.RUNNING;
    }

    synchronized RestoreStatus status() {
        return new RestoreStatus(
                number,
                order,
                state,
                state == State.RUNNING ? Duration.ofNanos(System.nanoTime() - beganNs) : took,
                imageBytes,
                session.map(RestoreSession::writtenBytes).orElse(0L),
                error);
    }
}
