// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal.keyfile;

import io.shredder.backup.keys.Hkdf;
import io.shredder.backup.seal.RepositoryKey;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/** How a secret becomes the key that wraps the repository key. */
sealed interface WrappingKey {

    /** Length of salts. */
    int SALT_BYTES = 16;

    /** Whether this is the way for secrets of this kind. */
    boolean takes(Secret secret);

    /** The AES-256 key. */
    byte[] of(Secret secret);

    /** As a key file has it: {@code docs/formats/key.md}. */
    String words();

    /** For people. */
    String description();

    /** The way for a new wrapping by this secret. */
    static WrappingKey forNew(Secret secret, SecureRandom random) {
        byte[] bytes = new byte[SALT_BYTES];
        random.nextBytes(bytes);
        String salt = HexFormat.of().formatHex(bytes);
        return secret instanceof Secret.Passphrase ? Argon2.strong(salt) : new FromFile(salt);
    }

    /** Reads {@link #words}. */
    static WrappingKey parse(String[] words) {
        if (words.length == 5 && words[0].equals(Argon2.WORD)) {
            return new Argon2(
                    number(words[1], 1, 100), number(words[2], 8, 1 << 20), number(words[3], 1, 64), salt(words[4]));
        } else if (words.length == 2 && words[0].equals(FromFile.WORD)) {
            return new FromFile(salt(words[1]));
        }
        throw new IllegalArgumentException("unknown way of wrapping '" + String.join(" ", words) + "'");
    }

    private static int number(String text, int min, int max) {
        if (!text.matches("[1-9][0-9]{0,8}") || Integer.parseInt(text) < min || Integer.parseInt(text) > max) {
            throw new IllegalArgumentException("'" + text + "' is not a number from " + min + " to " + max);
        }
        return Integer.parseInt(text);
    }

    private static String salt(String text) {
        return HexFormat.of().formatHex(KeyWrapping.hex(text, SALT_BYTES));
    }

    /**
     * Argon2id, version 19 (RFC 9106): slow and large on purpose, since people choose weak passphrases.
     *
     * @param passes over the memory
     * @param memoryKib of memory
     * @param lanes degree of parallelism
     * @param salt in hexadecimal digits
     */
    record Argon2(int passes, int memoryKib, int lanes, String salt) implements WrappingKey {

        static final String WORD = "argon2id";

        /** RFC 9106's second recommended option: 3 passes over 64 MiB, 4 lanes. */
        static Argon2 strong(String salt) {
            return new Argon2(3, 64 << 10, 4, salt);
        }

        @Override
        public boolean takes(Secret secret) {
            return secret instanceof Secret.Passphrase;
        }

        @Override
        public byte[] of(Secret secret) {
            Argon2BytesGenerator generator = new Argon2BytesGenerator();
            generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                    .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                    .withIterations(passes)
                    .withMemoryAsKB(memoryKib)
                    .withParallelism(lanes)
                    .withSalt(HexFormat.of().parseHex(salt))
                    .build());
            byte[] key = new byte[RepositoryKey.BYTES];
            generator.generateBytes(((Secret.Passphrase) secret).text().getBytes(StandardCharsets.UTF_8), key);
            return key;
        }

        @Override
        public String words() {
            return String.join(
                    " ", WORD, Integer.toString(passes), Integer.toString(memoryKib), Integer.toString(lanes), salt);
        }

        @Override
        public String description() {
            return "a passphrase (Argon2id, " + passes + " passes over " + (memoryKib >> 10) + " MiB)";
        }
    }

    /**
     * HKDF-SHA-256: the secret is random already.
     *
     * @param salt in hexadecimal digits
     */
    record FromFile(String salt) implements WrappingKey {

        static final String WORD = "file";

        @Override
        public boolean takes(Secret secret) {
            return secret instanceof Secret.SecretFile;
        }

        @Override
        public byte[] of(Secret secret) {
            byte[] bytes = ((Secret.SecretFile) secret).secret();
            byte[] info = "shredder key 1 wrapping".getBytes(StandardCharsets.US_ASCII);
            return Hkdf.derive(bytes, HexFormat.of().parseHex(salt), info, RepositoryKey.BYTES);
        }

        @Override
        public String words() {
            return WORD + " " + salt;
        }

        @Override
        public String description() {
            return "a secret file";
        }
    }
}
