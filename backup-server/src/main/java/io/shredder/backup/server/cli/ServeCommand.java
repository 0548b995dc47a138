// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.config.ConfigException;
import io.shredder.backup.posix.SystemdNotices;
import io.shredder.backup.server.alert.AlertSite;
import io.shredder.backup.server.alert.Alerts;
import io.shredder.backup.server.cli.option.ConfigOption;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.job.BackupSite;
import io.shredder.backup.server.job.JobEvents;
import io.shredder.backup.server.job.JobScheduler;
import io.shredder.backup.server.job.RunHistory;
import io.shredder.backup.server.job.StateLock;
import io.shredder.backup.server.monitoring.MonitoringServer;
import io.shredder.backup.server.monitoring.ServerMetrics;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code backup-server serve}: the daemon. SIGHUP reads the configuration again. SIGTERM and SIGINT end backups and
 * stop it cleanly.
 */
@Command(
        name = "serve",
        description = "Run the configuration's jobs at their times, until stopped by SIGTERM or Ctrl-C; SIGHUP reads it"
                + " again.",
        mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Override
    public Integer call() throws Exception {
        ServerConfig read = config.read();
        CountDownLatch stop = new CountDownLatch(1);
        CompletableFuture<Integer> stopped = new CompletableFuture<>();
        int exitCode = 1;
        try {
            serve(read, stop, stopped);
            exitCode = 0;
        } finally {
            stopped.complete(exitCode);
        }
        return exitCode;
    }

    private void serve(ServerConfig read, CountDownLatch stop, CompletableFuture<Integer> stopped) throws Exception {
        Clock clock = Clock.systemUTC();
        try (StateLock lock = StateLock.take(read.state());
                Shredder engine = Shredder.open(read.engine());
                ServerMetrics metrics = new ServerMetrics(clock);
                Alerts alerts = Alerts.start(AlertSite.of(read), lock.folder(), clock, AlertSite.nameOf(read));
                JobScheduler scheduler = JobScheduler.start(
                        new BackupSite(read, engine),
                        RunHistory.open(lock.folder()),
                        JobEvents.both(metrics, alerts),
                        clock);
                MonitoringServer monitoring = MonitoringServer.start(read.monitoring(), metrics, scheduler);
                SystemdNotices systemd = SystemdNotices.ofThisProcess()) {
            alerts.watch(scheduler::status);
            HangUp.handle(() -> reload(read, engine, scheduler, metrics, alerts));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndWait(stop, stopped), "server-stop"));
            System.out.println("backup-server runs " + read.jobs().size() + " jobs of " + config.file()
                    + ", monitoring on " + read.monitoring().host() + ":" + monitoring.port());
            System.out.flush();
            systemd.ready("runs " + read.jobs().size() + " jobs", scheduler::isAlive);
            stop.await();
            LOG.info("stopping");
        }
    }

    /** A bad configuration changes nothing. */
    private void reload(
            ServerConfig first, Shredder engine, JobScheduler scheduler, ServerMetrics metrics, Alerts alerts) {
        try {
            ServerConfig next = config.read();
            if (!next.sameUntilRestart(first)) {
                LOG.warn("'state', 'monitoring' and 'backend' stay as they were until the daemon is started again");
            }
            scheduler.configure(new BackupSite(next, engine));
            alerts.configure(AlertSite.of(next));
            metrics.keepOnly(next.jobs().stream().map(JobConfig::name).collect(Collectors.toSet()));
            LOG.info("read {} again: {} jobs", config.file(), next.jobs().size());
            metrics.configurationRead(true);
        } catch (ConfigException e) {
            e.problems().forEach(problem -> LOG.error("{}", problem));
            LOG.error("the configuration stays as it was");
            metrics.configurationRead(false);
            alerts.configurationRefused(String.join("; ", e.problems()));
        } catch (IOException | RuntimeException e) {
            LOG.error("the configuration stays as it was: {}", CommandErrors.describe(e));
            metrics.configurationRead(false);
            alerts.configurationRefused(CommandErrors.describe(e));
        }
    }

    /** A JVM that is ended by a signal would exit with 143; a clean stop is a success. */
    private static void stopAndWait(CountDownLatch stop, CompletableFuture<Integer> stopped) {
        stop.countDown();
        Runtime.getRuntime().halt(stopped.join());
    }
}
