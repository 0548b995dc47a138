// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.care.AgentCare;
import io.shredder.backup.agent.care.AgentCareConfig;
import io.shredder.backup.agent.console.AgentConsole;
import io.shredder.backup.agent.console.AgentSources;
import io.shredder.backup.agent.monitoring.AgentFigures;
import io.shredder.backup.agent.net.AgentDaemon;
import io.shredder.backup.agent.net.AgentLimits;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.monitoring.PageServer;
import io.shredder.backup.wire.HostPort;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code backup-agent serve}: runs until SIGTERM or SIGINT, then stops cleanly. */
@Command(
        name = "serve",
        description = "Serve a repository until stopped by SIGTERM or Ctrl-C.",
        mixinStandardHelpOptions = true)
final class ServeAgentCommand implements Callable<Integer> {

    @Option(
            names = "--repo",
            required = true,
            paramLabel = "DIR",
            description = "Folder of the repository; made if it is absent or empty.")
    private Path repo = Path.of("");

    @Option(
            names = "--listen",
            defaultValue = "127.0.0.1:7420",
            paramLabel = "HOST:PORT",
            description = "Where to listen; port 0 takes any free one (default: ${DEFAULT-VALUE}).")
    private HostPort listen = new HostPort("127.0.0.1", 0);

    @Option(
            names = "--rights",
            paramLabel = "FILE",
            description =
                    "YAML file that says what each client may do; read again when it changes. Without it every client"
                            + " that the authority signed may append and restore in its own namespace, and nobody may delete.")
    private @Nullable Path rights;

    @Option(
            names = "--monitoring",
            paramLabel = "HOST:PORT",
            description =
                    "Answer GET /metrics (Prometheus) and /health there to anybody who can connect; nowhere unless"
                            + " given.")
    private @Nullable HostPort monitoring;

    @Mixin
    private ConsoleOptions console = new ConsoleOptions();

    @Option(
            names = "--care",
            paramLabel = "FILE",
            description = "YAML file that says when the agent gives space back and reads what it keeps, by itself;"
                    + " without it only when a client asks.")
    private @Nullable Path care;

    @Mixin
    private LimitOptions limits = new LimitOptions();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private IndexKeyOption indexKey = new IndexKeyOption();

    @Mixin
    private DaemonOptions daemons = new DaemonOptions();

    /** Stops on the JVM's shutdown, in this order: no new clients, workers done, repository synced and closed. */
    @Override
    public Integer call() throws Exception {
        console.check();
        AccessFile access = rights == null ? AccessFile.none() : AccessFile.open(rights);
        RevokedCertificates revoked = daemons.revoked();
        AgentLimits checked = limits.limits();
        AgentCareConfig careTimes = care == null ? AgentCareConfig.NONE : AgentCareConfig.read(care);
        Clock clock = Clock.systemUTC();
        DaemonLife life = daemons.life();
        return life.run(() -> {
            try (Repository repository = Repository.open(store.place(repo), indexKey.file(repo), clock);
                    AgentDaemon daemon = start(repository, access, revoked, checked);
                    AgentCare taken = AgentCare.start(repository, repo, careTimes, clock);
                    AgentConsole looked = console.start(
                                    daemons.tls(), revoked, sources(repository, daemon, taken, access, clock))
                            .orElse(null);
                    AgentFigures figures =
                            monitoring == null ? null : new AgentFigures(repository, daemon, taken::show);
                    PageServer pages = figures == null
                            ? null
                            : PageServer.start(monitoring, figures.pages(), "name another with --monitoring")) {
                listens(life, daemon, where(pages, looked));
            }
        });
    }

    private AgentSources sources(
            Repository repository, AgentDaemon daemon, AgentCare taken, AccessFile access, Clock clock)
            throws IOException {
        return new AgentSources(
                repository,
                daemon::sessions,
                taken::standing,
                access::current,
                daemons.tls().certificateEnds(),
                clock.instant(),
                clock);
    }

    private String where(@Nullable PageServer pages, @Nullable AgentConsole looked) {
        String figures =
                pages == null || monitoring == null ? "" : ", monitoring on " + monitoring.host() + ":" + pages.port();
        return figures + (looked == null ? "" : ", console at " + looked.address());
    }

    private void listens(DaemonLife life, AgentDaemon daemon, String more) throws IOException, InterruptedException {
        int port = daemon.address().getPort();
        life.listens(
                port,
                () -> {
                    System.out.println("backup-agent serves " + repo + " on " + listen.host() + ":" + port + more);
                    System.out.flush();
                },
                daemon::isServing);
    }

    private AgentDaemon start(
            Repository repository, AccessFile access, RevokedCertificates revoked, AgentLimits checked)
            throws IOException {
        limits.threads().ifPresent(repository.workers()::limit);
        NativeDigests.load();
        return AgentDaemon.start(repository, access, revoked, checked, daemons.tls(), listen.address());
    }
}
