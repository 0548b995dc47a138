// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.seal.keyfile.KeySource;
import io.shredder.backup.seal.keyfile.Secret.Passphrase;
import java.io.Console;
import java.io.IOException;

/** Asks for passphrases, without showing what is typed. */
final class Terminal {

    private Terminal() {}

    /** A passphrase that was chosen before. */
    @SuppressWarnings(
            "SystemConsoleNull") // On Java 17 there is no console without a terminal, and no other way to ask.
    static Passphrase ask(String what) throws IOException {
        Console console = System.console();
        if (console == null) {
            throw new IOException("there is no terminal to ask for the " + what
                    + ": name a file with --passphrase-file or --secret-file, or set " + KeySource.PASSPHRASE_VARIABLE);
        }
        char[] typed = console.readPassword("%s: ", what);
        if (typed == null || typed.length == 0) {
            throw new IOException("no " + what + " was given");
        }
        return new Passphrase(String.valueOf(typed));
    }

    /** A new passphrase, typed twice. */
    static Passphrase askNew(String what) throws IOException {
        Passphrase first = ask(what);
        if (!ask(what + ", again").equals(first)) {
            throw new IOException("the two passphrases differ: try again");
        }
        return first;
    }
}
