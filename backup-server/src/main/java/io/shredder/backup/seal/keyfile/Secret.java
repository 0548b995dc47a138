// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal.keyfile;

import io.shredder.backup.seal.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** What unwraps a repository key: something that a person remembers, or a file. Immutable. */
public sealed interface Secret {

    /** The fewest characters of a new passphrase. */
    int MIN_PASSPHRASE_CHARACTERS = 8;

    /** In words, for errors. */
    String description();

    /**
     * A passphrase.
     *
     * @param text as it was typed
     */
    record Passphrase(String text) implements Secret {

        @Override
        public String description() {
            return "the passphrase";
        }

        /** Refuses one that is too short to be chosen. */
        public Passphrase checkedAsNew() throws IOException {
            if (text.codePointCount(0, text.length()) < MIN_PASSPHRASE_CHARACTERS) {
                throw new IOException("the passphrase is shorter than " + MIN_PASSPHRASE_CHARACTERS
                        + " characters: choose a longer one, several random words for example");
            }
            return this;
        }

        /** The first line of a file. */
        public static Passphrase read(Path file) throws IOException {
            checkPrivate(file);
            String text = Files.readString(file, StandardCharsets.UTF_8);
            int end = text.indexOf('\n');
            String line = end < 0 ? text : text.substring(0, end);
            if (line.isEmpty()) {
                throw new IOException("the first line of " + file + " is empty: write the passphrase there");
            }
            return new Passphrase(line);
        }

        @Override
        public String toString() {
            return description();
        }
    }

    /** 256 random bits in a file of their own, 64 hexadecimal digits, for machines that nobody types at. */
    final class SecretFile implements Secret {

        private static final int BYTES = 32;

        private final byte[] secret;
        private final Path file;

        private SecretFile(byte[] secret, Path file) {
            this.secret = secret;
            this.file = file;
        }

        /** Reads one. */
        public static SecretFile read(Path file) throws IOException {
            checkPrivate(file);
            String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
            if (!text.matches("[0-9a-f]{" + 2 * BYTES + "}")) {
                throw new IOException(
                        file + " is not a secret file of 64 hexadecimal digits: make one with 'shredder-backup key'");
            }
            return new SecretFile(HexFormat.of().parseHex(text), file);
        }

        /** Makes a new one, which must not exist yet. */
        public static SecretFile create(Path file, SecureRandom random) throws IOException {
            byte[] secret = new byte[BYTES];
            random.nextBytes(secret);
            PrivateFiles.create(file, HexFormat.of().formatHex(secret) + "\n");
            return new SecretFile(secret, file);
        }

        byte[] secret() {
            return secret.clone();
        }

        @Override
        public String description() {
            return "the secret file " + file;
        }

        @Override
        public String toString() {
            return description();
        }
    }

    private static void checkPrivate(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is not there, or not an ordinary file");
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
            throw new IOException("everybody may read " + file + ": run 'chmod 600 " + file + "'");
        }
    }
}
