// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.seal.keyfile.Secret;
import io.shredder.backup.seal.keyfile.Secret.Passphrase;
import io.shredder.backup.seal.keyfile.Secret.SecretFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is to open a key from now on. */
public final class NewSecretOptions {

    @Option(
            names = "--new-passphrase-file",
            paramLabel = "FILE",
            description = "The first line is the new passphrase; without this it is asked for at the terminal.")
    private @Nullable Path passphraseFile;

    @Option(
            names = "--new-secret-file",
            paramLabel = "FILE",
            description = "Make this file of random bits, which then opens the key; for machines that nobody types at.")
    private @Nullable Path secretFile;

    /** The new secret; a secret file is made by this call. */
    public Secret secret() throws IOException {
        if (passphraseFile != null && secretFile != null) {
            throw new IOException("both --new-passphrase-file and --new-secret-file are given: choose one");
        }
        if (secretFile != null) {
            return SecretFile.create(secretFile, new SecureRandom());
        }
        Passphrase chosen =
                passphraseFile != null ? Passphrase.read(passphraseFile) : Terminal.askNew("new passphrase");
        return chosen.checkedAsNew();
    }
}
