// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.backup.BackupSession;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.MachineConfig;
import io.shredder.backup.server.running.RunningBackup;
import io.shredder.backup.server.stage.FairShares;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One try to back a machine up for a job. It has a thread of its own, {@code machine-NAME}, that is never interrupted:
 * whatever was begun in the machine must be taken back through sockets that an interrupt would close.
 */
final class MachineWork implements RunningBackup.Site {

    private static final Logger LOG = LoggerFactory.getLogger(MachineWork.class);

    private final BackupSite site;
    private final JobConfig job;
    private final MachineConfig machine;
    private final BackupSite.JobPaces paces;
    private final BackupProgress progress;
    private final RepositoryKey key;
    private final FairShares.Share share;
    private volatile Optional<AgentClient> agent = Optional.empty();

    MachineWork(
            BackupSite site,
            JobConfig job,
            MachineConfig machine,
            BackupSite.JobPaces paces,
            BackupProgress progress,
            FairShares.Share share)
            throws IOException {
        this.site = site;
        this.job = job;
        this.machine = machine;
        this.paces = paces;
        this.progress = progress;
        this.key = site.key();
        this.share = share;
    }

    /** Does it; an interrupt ends it, once the machine is as it was, and is kept. */
    RunningBackup.Outcome run() throws IOException {
        RunningBackup backup = new RunningBackup(this, machine.name());
        FutureTask<RunningBackup.Outcome> task = new FutureTask<>(
                () -> machine.task().run(backup, job.cuts(), Remarks.of(job.tags(), Optional.empty()), paces.read()));
        Map<String, String> context = MDC.getCopyOfContextMap();
        Thread thread = new Thread(
                () -> {
                    MDC.setContextMap(context);
                    task.run();
                },
                "machine-" + machine.name());
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
                end(backup);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return result(task);
    }

    private static void end(RunningBackup backup) {
        try {
            backup.close();
        } catch (IOException e) {
            LOG.debug("what was read or sent ended badly", e);
        }
    }

    private static RunningBackup.Outcome result(FutureTask<RunningBackup.Outcome> task) throws IOException {
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the backup was given up", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException bug) {
                throw bug;
            }
            throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
        }
    }

    @Override
    public AgentClient connect() throws IOException {
        return site.connect(paces);
    }

    @Override
    public BackupSession session(AgentClient connected) throws IOException {
        BackupSession session = site.session(connected, key, job, share);
        agent = Optional.of(connected);
        return session;
    }

    @Override
    public RepositoryKey key() {
        return key;
    }

    @Override
    public KnownCommits known() {
        return site.known();
    }

    @Override
    public BackupReport during(SnapshotName series, long bytes, BackupSession session, RunningBackup.Running running)
            throws IOException {
        MDC.put("image", series.value());
        long answersBefore = agent.map(AgentClient::answers).orElse(0L);
        progress.begins(
                bytes,
                session::readBytes,
                () -> session.readBytes() + agent.map(AgentClient::answers).orElse(answersBefore));
        try {
            BackupReport report = running.run();
            site.news().committed(report.snapshot());
            return report;
        } finally {
            agent.ifPresent(site.news()::ask);
            MDC.put("image", machine.name().value());
        }
    }
}
