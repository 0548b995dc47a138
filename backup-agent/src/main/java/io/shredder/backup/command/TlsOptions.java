// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.command;

import io.shredder.backup.wire.TlsFiles;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options that say who this side is and whom it believes. */
public final class TlsOptions {

    @Option(names = "--cert", required = true, paramLabel = "FILE", description = "This side's certificate.")
    private Path certificate = Path.of("");

    @Option(names = "--key", required = true, paramLabel = "FILE", description = "Its private key.")
    private Path key = Path.of("");

    @Option(names = "--ca", required = true, paramLabel = "FILE", description = "Authority that signs the other side.")
    private Path authority = Path.of("");

    /** The files as a whole. */
    public TlsFiles files() {
        return new TlsFiles(certificate, key, authority);
    }
}
