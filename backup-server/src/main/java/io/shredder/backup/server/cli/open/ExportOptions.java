// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.open;

import io.shredder.backup.server.nbd.Export;
import io.shredder.backup.server.nbd.NbdAccess;
import io.shredder.backup.server.nbd.NbdServer;
import io.shredder.backup.server.nbd.NbdVolume;
import io.shredder.backup.wire.HostPort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Where an export is, and who may open it. */
final class ExportOptions {

    @ArgGroup(exclusive = true)
    private Place place = new Place();

    @ArgGroup(exclusive = false, heading = "With --listen clients need TLS and a certificate:%n")
    private @Nullable ExportTlsOptions tls;

    @Option(names = "--no-tls", description = "Serve whoever connects; only with --listen at a loopback address.")
    private boolean withoutTls;

    /** One of the two, or neither. */
    private static final class Place {

        @Option(
                names = "--socket",
                paramLabel = "PATH",
                description = "Serve at this Unix socket, which this user alone may use (default: a name in"
                        + " $XDG_RUNTIME_DIR or /run, which is printed).")
        private @Nullable Path socket;

        @Option(
                names = "--listen",
                paramLabel = "HOST:PORT",
                description = "Serve at this address instead; port 0 for any, which is printed.")
        private @Nullable HostPort listen;
    }

    /** Whether any of them is given. */
    boolean areGiven() {
        return place.socket != null || place.listen != null || tls != null || withoutTls;
    }

    /** What is wrong with them as they are given together. */
    Optional<String> error() {
        if (place.listen == null && (tls != null || withoutTls)) {
            return Optional.of("TLS is for --listen: a Unix socket is this user's alone");
        } else if (place.listen != null && tls != null && withoutTls) {
            return Optional.of("--no-tls contradicts --tls-cert: leave one of them out");
        } else if (place.listen != null && tls == null && !withoutTls) {
            return Optional.of(
                    "--listen needs --tls-cert, --tls-key and --tls-ca, or, at a loopback address, --no-tls");
        } else if (place.listen != null && withoutTls && !NbdServer.isLoopback(place.listen)) {
            return Optional.of("--no-tls at " + place.listen + " would show the image to whoever connects:"
                    + " listen at 127.0.0.1 or [::1], or with --tls-cert, --tls-key and --tls-ca");
        }
        return Optional.empty();
    }

    /** Serves; whoever asks closes it. */
    Export open(NbdVolume volume) throws IOException {
        if (place.listen != null) {
            return Export.open(volume, place.listen, tls == null ? NbdAccess.ofSocket() : tls.access());
        }
        return Export.open(volume, place.socket != null ? place.socket : ExportFolder.socketOf(volume.name()));
    }
}
