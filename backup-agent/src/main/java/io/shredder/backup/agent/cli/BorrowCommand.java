// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.lend.BorrowDaemon;
import io.shredder.backup.command.TlsOptions;
import io.shredder.backup.wire.HostPort;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code backup-agent borrow}: runs until SIGTERM or SIGINT, then stops cleanly. */
@Command(
        name = "borrow",
        description = {
            "Have a worker elsewhere at a socket of this machine, until stopped by SIGTERM or Ctrl-C. Engines of the same",
            "user name that among their devices: --backend cpu,worker:PATH."
        },
        mixinStandardHelpOptions = true)
final class BorrowCommand implements Callable<Integer> {

    @Option(
            names = "--from",
            required = true,
            paramLabel = "HOST:PORT",
            description = "Where 'backup-agent lend' listens.")
    private HostPort from = new HostPort("127.0.0.1", 0);

    @Option(
            names = "--socket",
            required = true,
            paramLabel = "PATH",
            description = "The Unix socket to listen at; only its owner may connect.")
    private Path socket = Path.of("");

    @Mixin
    private TlsOptions tls = new TlsOptions();

    @Override
    public Integer call() throws Exception {
        DaemonLife life = new DaemonLife(null);
        return life.run(() -> {
            try (BorrowDaemon daemon = BorrowDaemon.start(from, socket, tls.files())) {
                life.listens(from.port(), () -> announce(daemon), () -> true);
            }
        });
    }

    private static void announce(BorrowDaemon daemon) {
        System.out.println("backup-agent borrows " + daemon);
        System.out.flush();
    }
}
