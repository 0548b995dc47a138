// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.care.CareLedger;
import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.config.ConfigException;
import io.shredder.backup.monitoring.PageServer;
import io.shredder.backup.posix.SystemdNotices;
import io.shredder.backup.schedule.JobScheduler;
import io.shredder.backup.schedule.Planned;
import io.shredder.backup.schedule.RunHistory;
import io.shredder.backup.server.alert.AlertSite;
import io.shredder.backup.server.alert.Alerts;
import io.shredder.backup.server.care.CareSite;
import io.shredder.backup.server.care.DaemonPlan;
import io.shredder.backup.server.cli.option.ConfigOption;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.console.ConsoleServer;
import io.shredder.backup.server.console.ConsoleSources;
import io.shredder.backup.server.history.DaemonHistory;
import io.shredder.backup.server.job.JobEvents;
import io.shredder.backup.server.job.StateLock;
import io.shredder.backup.server.monitoring.DaemonPages;
import io.shredder.backup.server.monitoring.ServerMetrics;
import io.shredder.backup.server.recovery.Recovery;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
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
        description =
                "Run the configuration's jobs and care at their times, until stopped by SIGTERM or Ctrl-C; SIGHUP reads it"
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
                Shredder engine = Shredder.open(read.engine())) {
            serve(read, lock, new DaemonPlan(engine, CareLedger.open(lock.folder()), clock), stop, stopped);
        }
    }

    /** Who is told what the daemon does. */
    private record Told(ServerMetrics metrics, DaemonHistory history, Alerts alerts) {

        JobEvents events() {
            return JobEvents.both(history, JobEvents.both(metrics, alerts));
        }
    }

    private void serve(
            ServerConfig read, StateLock lock, DaemonPlan plan, CountDownLatch stop, CompletableFuture<Integer> stopped)
            throws Exception {
        try (ServerMetrics metrics = new ServerMetrics(plan.clock());
                DaemonHistory history = DaemonHistory.open(lock.folder(), plan.clock());
                Alerts alerts = alerts(read, lock, plan.clock(), history)) {
            serve(plan.site(read, alerts::doubts), lock, plan, new Told(metrics, history, alerts), stop, stopped);
        }
    }

    private void serve(
            CareSite first,
            StateLock lock,
            DaemonPlan plan,
            Told told,
            CountDownLatch stop,
            CompletableFuture<Integer> stopped)
            throws Exception {
        ServerConfig read = first.config();
        AtomicReference<CareSite> used = new AtomicReference<>(first);
        try (JobScheduler scheduler = JobScheduler.start(
                        plan.of(first, told.events()), RunHistory.open(lock.folder()), told.events(), plan.clock());
                PageServer monitoring = DaemonPages.start(read.monitoring(), told.metrics(), scheduler);
                Recovery recovery = Recovery.start(used::get, told.history());
                ConsoleServer console = console(used::get, recovery, scheduler, told);
                SystemdNotices systemd = SystemdNotices.ofThisProcess()) {
            told.alerts().watch(scheduler::status);
            HangUp.handle(() -> reload(first, used, plan, scheduler, told));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndWait(stop, stopped), "server-stop"));
            System.out.println("backup-server runs " + read.jobs().size() + " jobs of " + config.file()
                    + ", monitoring on " + read.monitoring().host() + ":" + monitoring.port());
            console.address().ifPresent(address -> System.out.println("console at " + address));
            System.out.flush();
            systemd.ready("runs " + read.jobs().size() + " jobs", scheduler::isAlive);
            stop.await();
            LOG.info("stopping");
        }
    }

    private static Alerts alerts(ServerConfig read, StateLock lock, Clock clock, DaemonHistory history) {
        return Alerts.start(
                AlertSite.of(read),
                lock.folder(),
                clock,
                AlertSite.nameOf(read),
                alert -> history.alert(alert.kind().word(), alert.subject(), alert.line(), alert.over()));
    }

    private static ConsoleServer console(Supplier<CareSite> used, Recovery recovery, JobScheduler scheduler, Told told)
            throws IOException {
        ConsoleSources sources = new ConsoleSources(
                used,
                scheduler,
                told.history(),
                told.alerts()::raised,
                recovery,
                AlertSite.nameOf(used.get().config()),
                used.get().now());
        return ConsoleServer.start(used.get().config().console(), sources);
    }

    /** A bad configuration changes nothing. */
    private void reload(
            CareSite first, AtomicReference<CareSite> used, DaemonPlan plan, JobScheduler scheduler, Told told) {
        ServerMetrics metrics = told.metrics();
        Alerts alerts = told.alerts();
        try {
            ServerConfig written = config.read();
            if (!written.sameUntilRestart(first.config())) {
                LOG.warn(
                        "'state', 'monitoring', 'console' and 'backend' stay as they were until the daemon is started again");
            }
            ServerConfig next = written.keeping(first.config());
            CareSite site = plan.site(next, alerts::doubts);
            JobScheduler.Plan planned = plan.of(site, told.events());
            scheduler.configure(planned);
            alerts.configure(AlertSite.of(next));
            used.set(site);
            metrics.keepOnly(planned.all().stream().map(Planned::name).collect(Collectors.toSet()));
            LOG.info("read {} again: {} jobs", config.file(), next.jobs().size());
            metrics.configurationRead(true);
        } catch (ConfigException e) {
            e.problems().forEach(problem -> LOG.error("{}", problem));
            LOG.error("the configuration stays as it was");
            metrics.configurationRead(false);
            alerts.configurationRefused(String.join("; ", e.problems()));
        } catch (IOException | RuntimeException e) {
            LOG.error("the configuration stays as it was: {}", CommandErrors.describe(e));
            plan.limit(used.get().config());
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
