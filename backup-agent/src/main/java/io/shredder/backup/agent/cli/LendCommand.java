// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.lend.LendDaemon;
import io.shredder.backup.wire.HostPort;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code backup-agent lend}: runs until SIGTERM or SIGINT, then stops cleanly. */
@Command(
        name = "lend",
        description = {
            "Let engines elsewhere use a worker of this machine ('shredder worker'), until stopped by SIGTERM or Ctrl-C.",
            "They come by 'backup-agent borrow', over mutual TLS."
        },
        mixinStandardHelpOptions = true)
final class LendCommand implements Callable<Integer> {

    @Option(names = "--socket", required = true, paramLabel = "PATH", description = "The worker's socket.")
    private Path socket = Path.of("");

    @Option(
            names = "--listen",
            defaultValue = "127.0.0.1:7423",
            paramLabel = "HOST:PORT",
            description = "Where to listen; port 0 takes any free one (default: ${DEFAULT-VALUE}).")
    private HostPort listen = new HostPort("127.0.0.1", 0);

    @Option(
            names = "--rights",
            required = true,
            paramLabel = "FILE",
            description = "YAML file that gives clients the right 'borrow'; read again when it changes.")
    private Path rights = Path.of("");

    @Mixin
    private DaemonOptions daemons = new DaemonOptions();

    @Override
    public Integer call() throws Exception {
        AccessFile access = AccessFile.open(rights);
        DaemonLife life = daemons.life();
        return life.run(() -> {
            try (LendDaemon daemon =
                    LendDaemon.start(socket, access, daemons.revoked(), daemons.tls(), listen.address())) {
                int port = daemon.address().getPort();
                life.listens(port, () -> announce(port), () -> true);
            }
        });
    }

    private void announce(int port) {
        System.out.println("backup-agent lends " + socket + " on " + listen.host() + ":" + port);
        System.out.flush();
    }
}
