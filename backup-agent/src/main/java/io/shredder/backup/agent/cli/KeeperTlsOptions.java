// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.dispersal.home.RemoteKeepers;
import io.shredder.backup.agent.dispersal.remote.RemoteHomes;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Who this side is for keepers on other machines, and whom it believes there. */
final class KeeperTlsOptions {

    @ArgGroup(exclusive = false, heading = "%nFor keepers on other machines, keep://HOST:PORT:%n")
    private @Nullable Files files;

    private static final class Files {

        @Option(
                names = "--keeper-cert",
                required = true,
                paramLabel = "FILE",
                description = "A client's certificate with the right 'keep' there.")
        private Path certificate = Path.of("");

        @Option(names = "--keeper-key", required = true, paramLabel = "FILE", description = "Its private key.")
        private Path key = Path.of("");

        @Option(
                names = "--keeper-ca",
                required = true,
                paramLabel = "FILE",
                description = "Authority that signs the keepers.")
        private Path authority = Path.of("");
    }

    /** Ways to such keepers; none if no certificate is named. */
    RemoteKeepers remotes() throws IOException {
        return files == null
                ? RemoteKeepers.NONE
                : new RemoteHomes(new TlsFiles(files.certificate, files.key, files.authority));
    }
}
