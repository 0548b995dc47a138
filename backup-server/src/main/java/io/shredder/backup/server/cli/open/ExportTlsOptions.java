// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.open;

import io.shredder.backup.server.nbd.NbdAccess;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Who an export is to its clients, and which clients it believes. */
final class ExportTlsOptions {

    @Option(
            names = "--tls-cert",
            required = true,
            paramLabel = "FILE",
            description = "The export's certificate, for this host; 'backup-agent certs --agent-host' makes such.")
    private Path certificate = Path.of("");

    @Option(names = "--tls-key", required = true, paramLabel = "FILE", description = "Its private key.")
    private Path key = Path.of("");

    @Option(
            names = "--tls-ca",
            required = true,
            paramLabel = "FILE",
            description = "Authority that signs the certificates of those who may connect.")
    private Path authority = Path.of("");

    NbdAccess access() throws IOException {
        return NbdAccess.byCertificates(new TlsFiles(certificate, key, authority));
    }
}
