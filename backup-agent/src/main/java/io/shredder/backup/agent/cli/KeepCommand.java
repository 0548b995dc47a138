// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.keep.KeepDaemon;
import io.shredder.backup.agent.keep.KeepLimits;
import io.shredder.backup.wire.HostPort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code backup-agent keep}: runs until SIGTERM or SIGINT, then stops cleanly. */
@Command(
        name = "keep",
        description = {
            "Offer a folder of this machine as a keeper of an agent's store elsewhere, until stopped by SIGTERM or Ctrl-C.",
            "The agent names it keep://HOST:PORT. One agent at a time holds it."
        },
        mixinStandardHelpOptions = true)
final class KeepCommand implements Callable<Integer> {

    private static final int MAX_SECONDS = 3600;

    @Option(
            names = "--folder",
            required = true,
            paramLabel = "DIR",
            description = "The keeper's folder. It must be there: an empty mount point is not made a keeper.")
    private Path folder = Path.of("");

    @Option(
            names = "--listen",
            defaultValue = "127.0.0.1:7422",
            paramLabel = "HOST:PORT",
            description = "Where to listen; port 0 takes any free one (default: ${DEFAULT-VALUE}).")
    private HostPort listen = new HostPort("127.0.0.1", 0);

    @Option(
            names = "--rights",
            required = true,
            paramLabel = "FILE",
            description = "YAML file that gives agents the right 'keep'; read again when it changes.")
    private Path rights = Path.of("");

    @Option(
            names = "--timeout",
            defaultValue = "45",
            paramLabel = "SECONDS",
            description = "End a connection whose agent says nothing for so long, or takes no answer"
                    + " (default: ${DEFAULT-VALUE}). Another agent may hold the keeper then.")
    private int timeout;

    @Mixin
    private DaemonOptions daemons = new DaemonOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        if (timeout < 1 || timeout > MAX_SECONDS) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Invalid value for option '--timeout': " + timeout + " is not from 1 to " + MAX_SECONDS);
        }
        AccessFile access = AccessFile.open(rights);
        RevokedCertificates revoked = daemons.revoked();
        KeepLimits limits = KeepLimits.usual().withSilence(Duration.ofSeconds(timeout));
        DaemonLife life = daemons.life();
        return life.run(() -> {
            try (KeepDaemon daemon =
                    KeepDaemon.start(folder, access, revoked, limits, daemons.tls(), listen.address())) {
                int port = daemon.address().getPort();
                life.listens(port, () -> announce(port), daemon::isServing);
            }
        });
    }

    private void announce(int port) {
        System.out.println("backup-agent keeps " + folder + " on " + listen.host() + ":" + port);
        System.out.flush();
    }
}
