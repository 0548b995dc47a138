// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.open;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where sockets of exports are, unless somebody names another place: a folder of this user alone. */
final class ExportFolder {

    private ExportFolder() {}

    /** The socket of a snapshot, {@code NAME@ID}. */
    static Path socketOf(String snapshot) throws IOException {
        return in(System.getenv())
                .orElseThrow(() -> new IOException("neither $XDG_RUNTIME_DIR nor /run is a folder that this user may"
                        + " write to: name a socket with --socket"))
                .resolve("shredder-" + snapshot + ".nbd");
    }

    /** XDG Base Directory Specification 0.8; root has {@code /run}. */
    private static Optional<Path> in(Map<String, String> environment) {
        return Optional.ofNullable(environment.get("XDG_RUNTIME_DIR"))
                .filter(folder -> !folder.isEmpty())
                .or(() -> Optional.of("/run"))
                .map(Path::of)
                .filter(folder -> Files.isDirectory(folder) && Files.isWritable(folder));
    }
}
