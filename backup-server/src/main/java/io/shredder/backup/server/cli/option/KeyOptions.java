// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.keyfile.KeyFile;
import io.shredder.backup.seal.keyfile.KeySource;
import io.shredder.backup.seal.keyfile.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which repository key a command uses, and what opens it. */
public final class KeyOptions {

    @Option(
            names = "--repository-key",
            required = true,
            paramLabel = "FILE",
            description = "The key that seals the backups; made by 'key create'.")
    private Path keyFile = Path.of("");

    @Option(
            names = "--passphrase-file",
            paramLabel = "FILE",
            description = {
                "Its first line opens the key. Without this and --secret-file the environment's",
                KeySource.PASSPHRASE_VARIABLE + " does, or whoever sits at the terminal is asked."
            })
    private @Nullable Path passphraseFile;

    @Option(names = "--secret-file", paramLabel = "FILE", description = "Opens the key instead of a passphrase.")
    private @Nullable Path secretFile;

    /** The file of the repository key, still closed. */
    public Path keyFile() {
        return keyFile;
    }

    /** What opens the key; asks at the terminal if nothing is named. */
    public Secret secret() throws IOException {
        KeySource source = new KeySource(keyFile, Optional.ofNullable(passphraseFile), Optional.ofNullable(secretFile));
        Optional<Secret> named = source.secret();
        return named.isPresent() ? named.get() : Terminal.ask("passphrase of " + keyFile);
    }

    /** The key. */
    public RepositoryKey unlock() throws IOException {
        return KeyFile.read(keyFile).unlock(secret());
    }
}
