// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.command.TlsOptions;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every daemon takes: its own certificate, those that were revoked, and where to say on which port it listens. */
final class DaemonOptions {

    @Option(names = "--port-file", paramLabel = "FILE", description = "Write the port there once it listens.")
    private @Nullable Path portFile;

    @Option(
            names = "--crl",
            paramLabel = "FILE",
            description =
                    "Revocation list of the authority, such as 'certs --revoke' makes; read again when it changes.")
    private @Nullable Path revocationList;

    @Mixin
    private TlsOptions tls = new TlsOptions();

    TlsFiles tls() {
        return tls.files();
    }

    RevokedCertificates revoked() throws IOException {
        return revocationList == null
                ? RevokedCertificates.none()
                : RevokedCertificates.open(revocationList, tls.files().authority());
    }

    DaemonLife life() {
        return new DaemonLife(portFile);
    }
}
