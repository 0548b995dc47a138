// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.file;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Lines of ASCII, with their digest in a line behind them. */
public final class CheckedText {

    private static final String CHECK = "check ";

    private CheckedText() {}

    /** As it is on disk. */
    public static byte[] encoded(String text) {
        Fingerprint digest = Fingerprint.ofData(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        return (text + CHECK + digest + "\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * The text without its digest.
     *
     * @param file for messages
     * @throws DamagedDataException if the digest is another text's
     */
    public static String decoded(String file, ByteBuffer bytes) throws DamagedDataException {
        byte[] array = new byte[bytes.remaining()];
        bytes.duplicate().get(array);
        return decoded(file, array);
    }

    /** The same. */
    public static String decoded(String file, byte[] bytes) throws DamagedDataException {
        String all = new String(bytes, StandardCharsets.ISO_8859_1);
        int check = Math.max(0, all.lastIndexOf(CHECK));
        String text = all.substring(0, check);
        if (!all.equals(new String(encoded(text), StandardCharsets.ISO_8859_1))) {
            throw new DamagedDataException(file, check, "the digest differs");
        }
        return text;
    }
}
