// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.config.ServerConfigReader;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the configuration. */
final class ConfigOption {

    @Option(
            names = "--config",
            defaultValue = "/etc/shredder/backup-server.yaml",
            paramLabel = "FILE",
            description = "The configuration (default: ${DEFAULT-VALUE}).")
    private Path file = Path.of("");

    Path file() {
        return file;
    }

    ServerConfig read() throws IOException {
        return ServerConfigReader.read(file);
    }
}
