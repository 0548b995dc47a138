// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.net.AgentLimits;
import java.time.Duration;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of {@code serve} that say how much of the agent its clients may take. */
final class LimitOptions {

    private static final int MAX_CONNECTIONS = 10_000;
    private static final int MAX_THREADS = 1024;
    private static final int MAX_SECONDS = 30 * 24 * 3600;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--connections",
            defaultValue = "64",
            paramLabel = "N",
            description = "Connections of all clients at once (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--newcomers",
            defaultValue = "192",
            paramLabel = "N",
            description = "Clients that have no connection yet and get one though all of those are taken"
                    + " (default: ${DEFAULT-VALUE}).")
    private int newcomers;

    @Option(
            names = "--connections-per-client",
            defaultValue = "16",
            paramLabel = "N",
            description = "Connections of one client at once; an image that is backed up needs one"
                    + " (default: ${DEFAULT-VALUE}).")
    private int connectionsEach;

    @Option(
            names = "--timeout",
            defaultValue = "120",
            paramLabel = "SECONDS",
            description = "End a connection whose client sends nothing for so long though something is due, or takes"
                    + " no answer (default: ${DEFAULT-VALUE}).")
    private int timeout;

    @Option(
            names = "--idle-timeout",
            defaultValue = "21600",
            paramLabel = "SECONDS",
            description = "End a connection that asks nothing for so long (default: ${DEFAULT-VALUE}, six hours).")
    private int idleTimeout;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads that read, digest and do TLS for all clients together (default: as many as the"
                    + " machine has cores). Memory goes with them.")
    private OptionalInt threads = OptionalInt.empty();

    /** How many threads work for all clients; empty for as many as there are cores. */
    OptionalInt threads() {
        return threads;
    }

    AgentLimits limits() {
        threads.ifPresent(count -> check("--threads", count, MAX_THREADS));
        check("--connections", connections, MAX_CONNECTIONS);
        check("--newcomers", newcomers, 0, MAX_CONNECTIONS);
        check("--connections-per-client", connectionsEach, MAX_CONNECTIONS);
        check("--timeout", timeout, MAX_SECONDS);
        check("--idle-timeout", idleTimeout, MAX_SECONDS);
        return AgentLimits.usual()
                .withConnections(connections, newcomers, connectionsEach)
                .withTimes(Duration.ofSeconds(timeout), Duration.ofSeconds(idleTimeout));
    }

    private void check(String option, int value, int most) {
        check(option, value, 1, most);
    }

    private void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    command.commandLine(),
                    "Invalid value for option '" + option + "': " + value + " is not from " + least + " to " + most);
        }
    }
}
