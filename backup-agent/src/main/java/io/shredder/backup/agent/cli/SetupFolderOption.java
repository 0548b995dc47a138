// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a machine's own files are. */
final class SetupFolderOption {

    private static final String USUAL = "/etc/shredder";

    @Option(
            names = "--dir",
            defaultValue = USUAL,
            paramLabel = "DIR",
            description = "Folder of certificates and configuration (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of(USUAL);

    Path folder() {
        return folder.toAbsolutePath().normalize();
    }

    /** What to add to a command for the same folder. */
    String inWords() {
        return folder().equals(Path.of(USUAL)) ? "" : " --dir " + folder();
    }
}
