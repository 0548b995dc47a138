// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.command.TlsOptions;
import io.shredder.backup.protocol.HostPort;
import io.shredder.backup.protocol.TlsFiles;
import java.io.IOException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Options that every command needs to reach its agent. */
final class AgentOptions {

    @Option(names = "--agent", required = true, paramLabel = "HOST:PORT", description = "Where the agent listens.")
    private HostPort agent = new HostPort("localhost", 0);

    @ArgGroup(exclusive = false, multiplicity = "1") // A mixin can't be in a group, which this is in SourceOptions.
    private TlsOptions tls = new TlsOptions();

    /** Who this side is to the agent. */
    TlsFiles tls() {
        return tls.files();
    }

    /** Connects; whoever asks closes it. */
    AgentClient connect() throws IOException {
        return AgentClient.connect(agent, tls.files());
    }
}
