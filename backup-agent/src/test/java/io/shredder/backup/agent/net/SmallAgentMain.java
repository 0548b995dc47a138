// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.command.Logging;
import io.shredder.backup.command.NativeCryptography;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;

/**
 * An agent's process whose containers and tables of the index are so small that a few megabytes fill many of them: all
 * that happens to hundreds of gigabytes happens to its repository as well.
 */
public final class SmallAgentMain {

    private SmallAgentMain() {}

    /** Arguments: repository, certificates' folder, rights file, port file, container bytes, table entries. */
    public static void main(String[] args) throws IOException {
        Logging.setUp("INFO");
        NativeCryptography.install();
        Path certificates = Path.of(args[1]);
        TlsFiles tls = new TlsFiles(
                certificates.resolve("agent.crt"), certificates.resolve("agent.key"), certificates.resolve("ca.crt"));
        Repository repository = Repository.open(
                Path.of(args[0]), Clock.systemUTC(), Integer.parseInt(args[4]), Integer.parseInt(args[5]));
        AgentDaemon daemon = AgentDaemon.start(
                repository,
                AccessFile.open(Path.of(args[2])),
                RevokedCertificates.none(),
                tls,
                new InetSocketAddress("127.0.0.1", 0));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(daemon, repository), "agent-stop"));
        Path port = Path.of(args[3]);
        Path temporary = Files.writeString(
                port.resolveSibling("port.tmp"), String.valueOf(daemon.address().getPort()));
        Files.move(temporary, port, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void stop(AgentDaemon daemon, Repository repository) {
        try {
            daemon.close();
            repository.close();
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0);
    }
}
