// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.store.RepositoryIndex;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the key of the index is. */
final class IndexKeyOption {

    @Option(
            names = "--index-key",
            paramLabel = "FILE",
            description =
                    "File with the key that encrypts the index; made with the repository (default: DIR.index-key beside it).")
    private @Nullable Path file;

    Path file(Path repo) {
        return file != null ? file : RepositoryIndex.defaultKeyFile(repo);
    }
}
