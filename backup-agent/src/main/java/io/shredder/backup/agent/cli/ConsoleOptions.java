// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.console.AgentConsole;
import io.shredder.backup.agent.console.AgentSources;
import io.shredder.backup.console.Visitors;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of {@code serve} that say where people look at the agent, and who. */
final class ConsoleOptions {

    private static final String PEOPLE = "--console-people";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--console",
            paramLabel = "HOST:PORT",
            description =
                    "Serve a page and an HTTP API there that show clients, sessions, the store, care and the audit"
                            + " log; nowhere unless given. It only shows. Another address than a loopback one needs "
                            + PEOPLE
                            + ".")
    private @Nullable HostPort listen;

    @Option(
            names = PEOPLE,
            split = ",",
            paramLabel = "NAME",
            description = "Who may look, by the CN of a certificate. The console then speaks TLS by --cert and --key.")
    private List<SnapshotName> people = List.of();

    @Option(
            names = "--console-authority",
            paramLabel = "FILE",
            description = "Authority that signs these people's certificates, if it is another than --ca.")
    private @Nullable Path authority;

    /** Refuses what makes no sense together. */
    void check() {
        if (listen == null && !(people.isEmpty() && authority == null)) {
            throw wrong("--console-people and --console-authority are of a console: name its address with --console");
        } else if (authority != null && people.isEmpty()) {
            throw wrong("--console-authority signs certificates of nobody: name them with " + PEOPLE);
        } else if (listen != null && people.isEmpty() && !Visitors.isLoopback(listen)) {
            throw wrong("Invalid value for option '--console': '" + listen
                    + "' can be reached from other machines, and the console shows names of clients: listen on"
                    + " 127.0.0.1, or say who may look with " + PEOPLE);
        }
    }

    private ParameterException wrong(String text) {
        return new ParameterException(command.commandLine(), text);
    }

    /**
     * Starts to answer, if an address is given.
     *
     * @param own the agent's certificate, which is the console's
     * @param revoked certificates of the agent's authority
     */
    Optional<AgentConsole> start(TlsFiles own, RevokedCertificates revoked, AgentSources sources) throws IOException {
        if (listen == null) {
            return Optional.empty();
        } else if (people.isEmpty()) {
            return Optional.of(AgentConsole.start(listen, Optional.empty(), new Visitors(Optional.empty()), sources));
        }
        Predicate<X509Certificate> isRevoked = authority == null ? revoked::contains : certificate -> false;
        TlsFiles tls = new TlsFiles(own.certificate(), own.key(), authority == null ? own.authority() : authority);
        Set<String> names = people.stream().map(SnapshotName::value).collect(Collectors.toSet());
        Visitors.People known = new Visitors.People(names, PEOPLE, isRevoked);
        return Optional.of(AgentConsole.start(listen, Optional.of(tls), new Visitors(Optional.of(known)), sources));
    }
}
