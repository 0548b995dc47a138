// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.command.TlsOptions;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Options that every command needs to reach its agent. */
public final class AgentOptions {

    @Option(names = "--agent", required = true, paramLabel = "HOST:PORT", description = "Where the agent listens.")
    private HostPort agent = new HostPort("localhost", 0);

    @ArgGroup(exclusive = false, multiplicity = "1") // A mixin can't be in a group, which this is in SourceOptions.
    private TlsOptions tls = new TlsOptions();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Give an agent up that has been silent for so long; one that works says so meanwhile"
                    + " (default: 120).") // No default of picocli's, which a group that isn't named would get, too.
    private AgentTimeout timeout = AgentTimeout.USUAL;

    /** Who this side is to the agent. */
    TlsFiles tls() {
        return tls.files();
    }

    /** After so long without a byte an agent is given up. */
    Duration silence() {
        return timeout.silence();
    }

    /** Connects; whoever asks closes it. */
    public AgentClient connect() throws IOException {
        return AgentClient.connect(agent, tls.files(), Pace.unlimited(), silence());
    }
}
