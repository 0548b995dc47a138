// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal.keyfile;

import io.shredder.backup.seal.RepositoryKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a program that nobody watches finds its repository key.
 *
 * @param keyFile the wrapped key
 * @param passphraseFile its first line is the passphrase
 * @param secretFile what opens the key file instead of a passphrase
 */
public record KeySource(Path keyFile, Optional<Path> passphraseFile, Optional<Path> secretFile) {

    /** Environment variable that holds the passphrase if no file does. */
    public static final String PASSPHRASE_VARIABLE = "SHREDDER_PASSPHRASE";

    /** Whatever opens the key file, without asking anybody: a file if one is named, else the environment. */
    public Optional<Secret> secret() throws IOException {
        if (secretFile.isPresent() && passphraseFile.isPresent()) {
            throw new IOException("both a passphrase file and a secret file are named: name one of them");
        }
        if (secretFile.isPresent()) {
            return Optional.of(Secret.SecretFile.read(secretFile.get()));
        }
        if (passphraseFile.isPresent()) {
            return Optional.of(Secret.Passphrase.read(passphraseFile.get()));
        }
        String text = System.getenv(PASSPHRASE_VARIABLE);
        return text == null || text.isEmpty() ? Optional.empty() : Optional.of(new Secret.Passphrase(text));
    }

    /** The key; no question is asked. */
    public RepositoryKey unlock() throws IOException {
        Optional<Secret> secret = secret();
        if (secret.isEmpty()) {
            throw new IOException("nothing opens key file " + keyFile
                    + ": name a passphrase file or a secret file, or set " + PASSPHRASE_VARIABLE);
        }
        return KeyFile.read(keyFile).unlock(secret.get());
    }
}
