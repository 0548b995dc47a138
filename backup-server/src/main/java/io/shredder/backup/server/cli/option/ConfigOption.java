// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.config.ServerConfigReader;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the configuration. */
public final class ConfigOption {

    /** Where it is if nobody says otherwise. */
    public static final String USUAL = "/etc/shredder/backup-server.yaml";

    @Option(
            names = "--config",
            defaultValue = USUAL,
            paramLabel = "FILE",
            description = "The configuration (default: ${DEFAULT-VALUE}).")
    private Path file = Path.of("");

    /** The file that was named, or the default. */
    public Path file() {
        return file;
    }

    /**
     * Reads it, whole.
     *
     * @throws IOException also if keys in it are wrong; all of them are named
     */
    public ServerConfig read() throws IOException {
        return ServerConfigReader.read(file);
    }
}
