// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal.keyfile;

import io.shredder.backup.seal.AesGcm;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.snapshot.KeyId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.AEADBadTagException;

/**
 * The repository key encrypted under one secret: one line of a key file. AES-256-GCM under a key that a
 * {@link WrappingKey} makes of the secret; everything else of the line, and the key's id, is bound to it.
 */
public final class KeyWrapping {

    private static final String WORD = "wrapping";
    private static final HexFormat HEX = HexFormat.of();

    private final WrappingKey way;
    private final byte[] nonce;
    private final byte[] wrapped;

    private KeyWrapping(WrappingKey way, byte[] nonce, byte[] wrapped) {
        this.way = way;
        this.nonce = nonce;
        this.wrapped = wrapped;
    }

    /** Wraps a key. */
    static KeyWrapping wrap(RepositoryKey key, Secret secret, WrappingKey way, SecureRandom random) {
        byte[] nonce = new byte[AesGcm.NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] wrapped = new AesGcm().seal(way.of(secret), nonce, openBytes(way, key.id()), key.secret());
        return new KeyWrapping(way, nonce, wrapped);
    }

    /** The key, if this secret wrapped it. */
    Optional<RepositoryKey> unwrap(Secret secret, KeyId expected) {
        if (!way.takes(secret)) {
            return Optional.empty();
        }
        try {
            byte[] bytes = new AesGcm().open(way.of(secret), nonce, openBytes(way, expected), wrapped, 0);
            RepositoryKey key = RepositoryKey.of(bytes);
            return key.id().equals(expected) ? Optional.of(key) : Optional.empty();
        } catch (AEADBadTagException e) {
            return Optional.empty();
        }
    }

    /** What unwraps it, in words. */
    public String description() {
        return way.description();
    }

    /** Whether a secret of this kind could unwrap it. */
    boolean takes(Secret secret) {
        return way.takes(secret);
    }

    String line() {
        return WORD + " " + way.words() + " " + HEX.formatHex(nonce) + " " + HEX.formatHex(wrapped);
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    static KeyWrapping parse(String line) {
        String[] words = line.split(" ", -1);
        if (words.length < 4 || !words[0].equals(WORD)) {
            throw new IllegalArgumentException("not a wrapping");
        }
        int last = words.length - 1;
        byte[] nonce = hex(words[last - 1], AesGcm.NONCE_BYTES);
        byte[] wrapped = hex(words[last], RepositoryKey.BYTES + AesGcm.TAG_BYTES);
        return new KeyWrapping(WrappingKey.parse(java.util.Arrays.copyOfRange(words, 1, last - 1)), nonce, wrapped);
    }

    static byte[] hex(String text, int bytes) {
        if (text.length() != 2 * bytes) {
            throw new IllegalArgumentException("'" + text + "' does not have " + 2 * bytes + " digits");
        }
        return HEX.parseHex(text);
    }

    private static byte[] openBytes(WrappingKey way, KeyId id) {
        byte[] text = ("shredder key 1 " + way.words() + " ").getBytes(StandardCharsets.US_ASCII);
        ByteBuffer open = ByteBuffer.allocate(text.length + KeyId.BYTES);
        open.put(text);
        id.write(open);
        return open.array();
    }
}
