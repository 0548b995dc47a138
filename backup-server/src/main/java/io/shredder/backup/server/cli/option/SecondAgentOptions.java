// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that reach another agent; what is not given is as for the first. */
public final class SecondAgentOptions {

    @Option(
            names = "--second-agent",
            required = true,
            paramLabel = "HOST:PORT",
            description = "Where the other agent listens.")
    private HostPort agent = new HostPort("localhost", 0);

    @Option(names = "--second-cert", paramLabel = "FILE", description = "Certificate for it (default: --cert).")
    private @Nullable Path certificate;

    @Option(names = "--second-key", paramLabel = "FILE", description = "Its private key (default: --key).")
    private @Nullable Path key;

    @Option(names = "--second-ca", paramLabel = "FILE", description = "Its authority (default: --ca).")
    private @Nullable Path authority;

    /** Connects; whoever asks closes it. */
    public AgentClient connect(AgentOptions first) throws IOException {
        TlsFiles tls = first.tls();
        return AgentClient.connect(
                agent,
                new TlsFiles(
                        certificate == null ? tls.certificate() : certificate,
                        key == null ? tls.key() : key,
                        authority == null ? tls.authority() : authority),
                Pace.unlimited(),
                first.silence());
    }
}
