// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Optional;

/** Paths as the bytes that the system's calls take. */
final class NativePath {

    private NativePath() {}

    /**
     * The bytes of the absolute path, which are UTF-8 so that errors can name it; empty if they are not, or if the path
     * belongs to a file system of Java's alone, such as a zip file.
     */
    static Optional<byte[]> utf8(Path file) {
        if (!file.getFileSystem().equals(FileSystems.getDefault())) {
            return Optional.empty();
        }
        // A path's URI has its very bytes; its string has been through the locale's encoding.
        byte[] bytes = unescape(file.toAbsolutePath().toUri().getRawPath());
        return isUtf8(bytes) ? Optional.of(bytes) : Optional.empty();
    }

    /** RFC 3986, section 2.1. */
    private static byte[] unescape(String escaped) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(escaped.length());
        for (int i = 0; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            if (c == '%') {
                bytes.write(Integer.parseInt(escaped, i + 1, i + 3, 16));
                i += 2;
            } else {
                bytes.write(c);
            }
        }
        return bytes.toByteArray();
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
